package dev.medley.kubernetes.cluster;

import dev.medley.base.time.Clock;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Is nodes of a test's cluster whose pods are processes of this machine. It reports a pod's phase
 * and address, ends it with SIGTERM and after its grace period with SIGKILL, and knows a pod's host
 * name.
 */
public final class ProcessKubelet implements AutoCloseable {
    private static final AtomicInteger ADDRESSES = new AtomicInteger();
    private static final int HEARTBEAT_SECONDS = 10;

    private final ControlPlane plane;
    private final KubernetesClient client;
    private final Path folder;
    private final List<String> medley;
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final Map<String, PodProcess> pods = new ConcurrentHashMap<>();
    private final Map<String, String> hosts = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong started = new AtomicLong();
    private final AtomicInteger drafts = new AtomicInteger();
    private @Nullable SharedIndexInformer<Pod> watch;

    /**
     * Nodes that are yet to be added.
     *
     * @param medley the command that stands for {@code medley} in an image
     */
    public ProcessKubelet(ControlPlane plane, Path folder, List<String> medley) throws IOException {
        this.plane = plane;
        this.client = plane.client();
        this.folder = Files.createDirectories(folder);
        this.medley = List.copyOf(medley);
        // A test that is ended from outside leaves no process.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> pods.values().forEach(PodProcess::kill)));
        writeHosts();
        var unused =
                beats.scheduleAtFixedRate(
                        () -> nodes.keySet().forEach(this::beat),
                        HEARTBEAT_SECONDS,
                        HEARTBEAT_SECONDS,
                        TimeUnit.SECONDS);
        watch =
                client.pods()
                        .inAnyNamespace()
                        .inform(
                                new ResourceEventHandler<>() {
                                    @Override
                                    public void onAdd(Pod pod) {
                                        see(pod);
                                    }

                                    @Override
                                    public void onUpdate(Pod before, Pod pod) {
                                        see(pod);
                                    }

                                    @Override
                                    public void onDelete(Pod pod, boolean isUnknown) {
                                        PodProcess gone = pods.remove(uid(pod));
                                        if (gone != null) {
                                            gone.kill();
                                        }
                                    }
                                });
    }

    /** A node that takes pods. */
    public void addNode(String name, String cpus, String memory, Map<String, String> labels) {
        Map<String, String> all = new HashMap<>(labels);
        all.put("kubernetes.io/hostname", name);
        Map<String, Quantity> room =
                Map.of(
                        "cpu", new Quantity(cpus),
                        "memory", new Quantity(memory),
                        "pods", new Quantity("110"));
        Node node =
                new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(all)
                        .endMetadata()
                        .withNewStatus()
                        .withCapacity(room)
                        .withAllocatable(room)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .withReason("KubeletReady")
                        .withLastHeartbeatTime(PodProcess.now())
                        .withLastTransitionTime(PodProcess.now())
                        .endCondition()
                        .endStatus()
                        .build();
        client.resource(node).create();
        nodes.put(name, node);
        beat(name);
    }

    /** A node that is no more: its pods end at once, and nobody reports it. */
    public void removeNode(String name) {
        nodes.remove(name);
        pods.values().stream().filter(p -> p.isOn(name)).forEach(PodProcess::kill);
        client.nodes().withName(name).delete();
    }

    private void beat(String node) {
        try {
            client.resource(
                            new LeaseBuilder()
                                    .withNewMetadata()
                                    .withName(node)
                                    .withNamespace("kube-node-lease")
                                    .endMetadata()
                                    .withNewSpec()
                                    .withHolderIdentity(node)
                                    .withLeaseDurationSeconds(40)
                                    .withRenewTime(
                                            Instant.ofEpochMilli(Clock.system().wallMillis())
                                                    .atZone(ZoneOffset.UTC))
                                    .endSpec()
                                    .build())
                    .serverSideApply();
        } catch (RuntimeException e) {
            // The API server may be away: the next beat tells it.
        }
    }

    private void see(Pod pod) {
        String node = pod.getSpec().getNodeName();
        if (node == null || !nodes.containsKey(node)) {
            return;
        }
        boolean isLeaving = pod.getMetadata().getDeletionTimestamp() != null;
        String phase = pod.getStatus().getPhase();
        if (!isLeaving && "Pending".equals(phase) && !pods.containsKey(uid(pod))) {
            PodProcess process = new PodProcess(this, pod, address());
            pods.put(uid(pod), process);
            started.incrementAndGet();
            name(pod, process.address());
            threads.execute(process::run);
        } else if (!isLeaving && "Running".equals(phase) && pods.containsKey(uid(pod))) {
            PodProcess process = pods.get(uid(pod));
            threads.execute(() -> process.resize(pod));
        } else if (isLeaving) {
            PodProcess process = pods.get(uid(pod));
            if (process == null) {
                threads.execute(() -> PodProcess.forget(client, pod));
            } else {
                Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
                threads.execute(() -> process.end(grace == null ? 30 : grace));
            }
        }
    }

    /** Another one than other processes of this machine give their pods. */
    private static String address() {
        int n = ADDRESSES.incrementAndGet();
        long process = ProcessHandle.current().pid();
        return "127.%d.%d.%d".formatted(1 + process % 250, 1 + n / 250 % 250, 1 + n % 250);
    }

    private void name(Pod pod, String address) {
        String host = pod.getSpec().getHostname();
        String domain = pod.getSpec().getSubdomain();
        if (host != null && domain != null) {
            // In the domain of its namespace, and within it.
            hosts.put(
                    "%s.%s.%s.svc".formatted(host, domain, pod.getMetadata().getNamespace()),
                    address);
            hosts.put(host + "." + domain, address);
            writeHosts();
        }
    }

    private synchronized void writeHosts() {
        StringBuilder text = new StringBuilder("127.0.0.1 localhost\n");
        hosts.forEach((host, address) -> text.append(address + " " + host + "\n"));
        try {
            Path draft = folder.resolve("hosts." + drafts.incrementAndGet());
            Files.writeString(draft, text);
            Files.move(draft, hostsFile(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    Path hostsFile() {
        return folder.resolve("hosts");
    }

    Path folder() {
        return folder;
    }

    ControlPlane plane() {
        return plane;
    }

    KubernetesClient client() {
        return client;
    }

    List<String> medley() {
        return medley;
    }

    /** Waits a moment. */
    public void pause() throws InterruptedException {
        plane.pause();
    }

    /** How many pods were started so far. */
    public long started() {
        return started.get();
    }

    /** What a pod wrote. */
    public String log(Pod pod) throws IOException {
        Path file = folder.resolve(uid(pod)).resolve("log");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static String uid(Pod pod) {
        return Objects.requireNonNull(pod.getMetadata().getUid());
    }

    @Override
    public void close() {
        beats.shutdownNow();
        SharedIndexInformer<Pod> watching = watch;
        if (watching != null) {
            watching.close();
        }
        pods.values().forEach(PodProcess::kill);
        threads.shutdownNow();
        nodes.keySet().forEach(node -> client.nodes().withName(node).delete());
        client.close();
    }
}
