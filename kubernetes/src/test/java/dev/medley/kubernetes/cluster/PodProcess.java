package dev.medley.kubernetes.cluster;

import dev.medley.base.time.Clock;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Is a pod of one container as a process of this machine. */
final class PodProcess {
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int REPORTS = 20;
    private static final int MESSAGE_BYTES = 2048;

    private final ProcessKubelet kubelet;
    private final Pod pod;
    private final String address;
    private final String startedAt = now();
    private @Nullable Process process;
    private @Nullable PodGroup group;
    private @Nullable Quantity cores; // That it may use; null as long as nobody changed them.
    private boolean isEnding;
    private boolean isOver;

    PodProcess(ProcessKubelet kubelet, Pod pod, String address) {
        this.kubelet = kubelet;
        this.pod = pod;
        this.address = address;
    }

    String address() {
        return address;
    }

    boolean isOn(String node) {
        return node.equals(pod.getSpec().getNodeName());
    }

    void run() {
        Container container = pod.getSpec().getContainers().get(0);
        if (container.getImage().contains("missing")) {
            report(
                    "Pending",
                    new ContainerStateBuilder()
                            .withNewWaiting(
                                    "failed to resolve image " + container.getImage(),
                                    "ErrImagePull")
                            .build());
            return;
        }
        try {
            Path folder =
                    Files.createDirectories(kubelet.folder().resolve(pod.getMetadata().getUid()));
            Process begun = startWhenSetUp(container, folder);
            if (begun == null) {
                return;
            }
            report("Running", new ContainerStateBuilder().withNewRunning(startedAt).build());
            int code = begun.waitFor();
            over(code, code == 0 ? null : PodVolumes.tail(folder.resolve("log"), MESSAGE_BYTES));
        } catch (IOException e) {
            over(128, "StartError: " + e.getMessage());
        } catch (InterruptedException e) {
            kill();
        }
    }

    /** A pod waits for what it mounts; that it does is an event. */
    private @Nullable Process startWhenSetUp(Container container, Path folder)
            throws IOException, InterruptedException {
        boolean isSaid = false;
        while (true) {
            try {
                return start(container, folder);
            } catch (ResourceNotFoundException e) {
                if (!isSaid) {
                    say("FailedMount", String.valueOf(e.getMessage()));
                    report(
                            "Pending",
                            new ContainerStateBuilder()
                                    .withNewWaiting(null, "ContainerCreating")
                                    .build());
                }
                isSaid = true;
                kubelet.pause();
            }
        }
    }

    private void say(String reason, String message) {
        var unused =
                kubelet.client()
                        .resource(
                                new EventBuilder()
                                        .withNewMetadata()
                                        .withGenerateName(pod.getMetadata().getName() + ".")
                                        .withNamespace(pod.getMetadata().getNamespace())
                                        .endMetadata()
                                        .withType("Warning")
                                        .withReason(reason)
                                        .withMessage(message)
                                        .withNewInvolvedObject()
                                        .withKind("Pod")
                                        .withName(pod.getMetadata().getName())
                                        .withNamespace(pod.getMetadata().getNamespace())
                                        .withUid(pod.getMetadata().getUid())
                                        .endInvolvedObject()
                                        .build())
                        .create();
    }

    private synchronized @Nullable Process start(Container container, Path folder)
            throws IOException {
        if (isEnding) {
            return null;
        }
        PodVolumes volumes =
                PodVolumes.of(
                        kubelet.client(),
                        pod,
                        folder.resolve("volumes"),
                        kubelet.folder().resolve("claims"));
        Map<String, String> environment = environment(container, volumes);
        List<String> line = new ArrayList<>();
        for (String word : container.getCommand()) {
            line.add(volumes.here(expanded(word, environment)));
        }
        for (String word : container.getArgs()) {
            line.add(volumes.here(expanded(word, environment)));
        }
        String hosts = "-Djdk.net.hosts.file=" + kubelet.hostsFile();
        if (line.get(0).equals("medley") && !container.getImage().contains("nojava")) {
            List<String> medley = new ArrayList<>(kubelet.medley());
            int at = medley.indexOf("-cp");
            medley.addAll(at, List.of(hosts));
            medley.addAll(
                    at,
                    Arrays.asList(
                            environment.getOrDefault("MEDLEY_JAVA_OPTS", "-Da=b").split(" ")));
            line.remove(0);
            line.addAll(0, medley);
        }
        PodGroup limit = PodGroup.of(pod);
        group = limit;
        if (limit != null) {
            line.addAll(0, limit.command());
        }
        ProcessBuilder builder =
                new ProcessBuilder(line)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        builder.environment().putAll(environment);
        builder.environment().merge("MEDLEY_WORKER_JAVA_OPTS", hosts, (a, b) -> a + " " + b);
        builder.environment().remove("KUBECONFIG");
        if (!Boolean.FALSE.equals(pod.getSpec().getAutomountServiceAccountToken())) {
            Path config = folder.resolve("kubeconfig");
            Files.writeString(config, kubelet.plane().config(token()));
            builder.environment().put("KUBECONFIG", config.toString());
        }
        Process begun = builder.start();
        process = begun;
        if (limit != null) {
            limit.removeAfter(begun);
        }
        return begun;
    }

    /** What it may use is what its specification says by now. */
    void resize(Pod now) {
        Quantity wanted = PodGroup.cores(now);
        synchronized (this) {
            PodGroup limit = group;
            Quantity before = cores == null ? PodGroup.cores(pod) : cores;
            if (limit == null || wanted == null || isOver || wanted.equals(before)) {
                return;
            }
            try {
                limit.grant(wanted);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            cores = wanted;
            // Nobody says meanwhile that it is over.
            report("Running", new ContainerStateBuilder().withNewRunning(startedAt).build());
        }
    }

    private String token() {
        String account = pod.getSpec().getServiceAccountName();
        return kubelet.plane()
                .token(pod.getMetadata().getNamespace(), account == null ? "default" : account);
    }

    private Map<String, String> environment(Container container, PodVolumes volumes) {
        Map<String, String> all = new LinkedHashMap<>();
        for (EnvVar variable : container.getEnv()) {
            if (variable.getValueFrom() != null && variable.getValueFrom().getFieldRef() != null) {
                all.put(
                        variable.getName(),
                        field(variable.getValueFrom().getFieldRef().getFieldPath()));
            } else if (variable.getValue() != null) {
                all.put(variable.getName(), volumes.here(expanded(variable.getValue(), all)));
            }
        }
        return all;
    }

    private String field(String path) {
        return switch (path) {
            case "status.podIP" -> address;
            case "metadata.name" -> pod.getMetadata().getName();
            case "metadata.namespace" -> pod.getMetadata().getNamespace();
            case "metadata.uid" -> pod.getMetadata().getUid();
            default -> {
                String label = path.replaceAll("metadata\\.(labels|annotations)\\['(.*)'\\]", "$2");
                Map<String, String> from =
                        path.startsWith("metadata.labels")
                                ? pod.getMetadata().getLabels()
                                : pod.getMetadata().getAnnotations();
                yield from == null ? "" : from.getOrDefault(label, "");
            }
        };
    }

    private static String expanded(String word, Map<String, String> environment) {
        String now = word;
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            now = now.replace("$(" + variable.getKey() + ")", variable.getValue());
        }
        return now;
    }

    /** SIGTERM, and after its grace SIGKILL; then it is forgotten. */
    void end(long graceSeconds) {
        Process ending;
        synchronized (this) {
            if (isEnding) {
                return;
            }
            isEnding = true;
            ending = process;
        }
        if (ending != null) {
            ending.destroy();
            try {
                if (!ending.waitFor(graceSeconds, TimeUnit.SECONDS)) {
                    killTree(ending);
                    ending.waitFor();
                }
                over(ending.exitValue(), null);
            } catch (InterruptedException e) {
                killTree(ending);
            }
        }
        forget(kubelet.client(), pod);
    }

    void kill() {
        Process running;
        synchronized (this) {
            isEnding = true;
            running = process;
        }
        if (running != null) {
            killTree(running);
        }
    }

    private static void killTree(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private void over(int code, @Nullable String message) {
        synchronized (this) {
            if (isOver) {
                return;
            }
            isOver = true;
        }
        report(
                code == 0 ? "Succeeded" : "Failed",
                new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(code)
                        .withReason(code == 0 ? "Completed" : code == 128 ? "StartError" : "Error")
                        .withMessage(message)
                        .withStartedAt(startedAt)
                        .withFinishedAt(now())
                        .endTerminated()
                        .build());
    }

    /** Somebody else may write at the same time. */
    private void report(String phase, ContainerState state) {
        for (int i = 0; i < REPORTS; i++) {
            if (isReported(phase, state)) {
                return;
            }
        }
        throw new AssertionError("the status of pod " + pod.getMetadata().getName());
    }

    private boolean isReported(String phase, ContainerState state) {
        Container container = pod.getSpec().getContainers().get(0);
        String isReady = phase.equals("Running") ? "True" : "False";
        try {
            kubelet.client()
                    .pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .editStatus(
                            now ->
                                    new PodBuilder(now)
                                            .editOrNewStatus()
                                            .withPhase(phase)
                                            .withPodIP(address.replaceFirst("127", "10"))
                                            .withHostIP("127.0.0.1")
                                            .withStartTime(startedAt)
                                            .removeMatchingFromConditions(
                                                    c ->
                                                            !c.getType().equals("PodScheduled")
                                                                    && !c.getType()
                                                                            .equals(
                                                                                    "DisruptionTarget"))
                                            .addToConditions(
                                                    new PodConditionBuilder()
                                                            .withType("Ready")
                                                            .withStatus(isReady)
                                                            .withLastTransitionTime(now())
                                                            .build())
                                            .withContainerStatuses(List.of())
                                            .addNewContainerStatus()
                                            .withName(container.getName())
                                            .withImage(container.getImage())
                                            .withImageID("")
                                            .withReady(isReady.equals("True"))
                                            .withRestartCount(0)
                                            // By which a kubelet shows that it can resize.
                                            .withResources(sizeOf(now))
                                            .withState(state)
                                            .endContainerStatus()
                                            .endStatus()
                                            .build());
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == NOT_FOUND) {
                return true;
            } else if (e.getCode() == CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    private static ResourceRequirements sizeOf(Pod pod) {
        ResourceRequirements size = pod.getSpec().getContainers().get(0).getResources();
        return size == null ? new ResourceRequirements() : size;
    }

    static void forget(KubernetesClient client, Pod pod) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withGracePeriod(0)
                .delete();
    }

    static String now() {
        return Instant.ofEpochMilli(Clock.system().wallMillis())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }
}
