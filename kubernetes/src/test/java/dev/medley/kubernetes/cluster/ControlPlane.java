package dev.medley.kubernetes.cluster;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.install.Installation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Is a control plane of this JVM's tests: etcd, kube-apiserver, kube-controller-manager and
 * kube-scheduler as processes, which end with the JVM. Tools/kube/build.sh makes them; a test says
 * that it is skipped where they are not.
 */
public final class ControlPlane {
    private static final int LOWEST_PORT = 20_000;
    private static final int MOST_PORTS = 12_000;
    private static final AtomicInteger PORTS = new AtomicInteger();

    private static final Clock CLOCK = Clock.system();

    /** The namespace of the operator, whose account is there, and no pod. */
    public static final String OPERATOR = "medley-system";

    private static final String TOKEN = "medley-tests";
    private static final long START_SECONDS = 120;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private static @Nullable ControlPlane shared;

    private final Path binaries;
    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final int apiPort;

    private ControlPlane(Path binaries) throws IOException {
        this.binaries = binaries;
        this.folder = Files.createTempDirectory("medley-kube-");
        this.apiPort = freePort();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    }

    /** The one of this JVM, started by the first who asks; aborts the test where it cannot be. */
    public static synchronized ControlPlane shared() throws Exception {
        if (shared == null) {
            String named = System.getenv("MEDLEY_KUBE");
            Path binaries =
                    named == null
                            ? Path.of(System.getProperty("user.home"), ".cache", "medley-kube")
                            : Path.of(named);
            if (!Files.isExecutable(binaries.resolve("kube-apiserver"))) {
                abort(
                        "skipped: no control plane of Kubernetes in %s; tools/kube/build.sh makes it"
                                .formatted(binaries));
            }
            ControlPlane made = new ControlPlane(binaries);
            made.start();
            shared = made;
        }
        return shared;
    }

    private void start() throws Exception {
        int etcd = freePort();
        int peers = freePort();
        run(
                "etcd",
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=http://127.0.0.1:" + etcd,
                "--advertise-client-urls=http://127.0.0.1:" + etcd,
                "--listen-peer-urls=http://127.0.0.1:" + peers,
                "--initial-advertise-peer-urls=http://127.0.0.1:" + peers,
                "--initial-cluster=default=http://127.0.0.1:" + peers,
                "--unsafe-no-fsync");
        writeKeys();
        Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,1,\"system:masters\"\n");
        run(
                "kube-apiserver",
                "--etcd-servers=http://127.0.0.1:" + etcd,
                "--secure-port=" + apiPort,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--cert-dir=" + folder,
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--authorization-mode=Node,RBAC",
                "--service-account-issuer=https://127.0.0.1:" + apiPort,
                "--service-account-jwks-uri=https://127.0.0.1:" + apiPort + "/openid/v1/jwks",
                "--service-account-key-file=" + folder.resolve("sa.pub"),
                "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--endpoint-reconciler-type=none",
                "--allow-privileged=true",
                "--enable-priority-and-fairness=false");
        Files.writeString(kubeconfig(), config(TOKEN));
        awaitReady();
        run(
                "kube-controller-manager",
                "--kubeconfig=" + kubeconfig(),
                "--use-service-account-credentials=true",
                "--service-account-private-key-file=" + folder.resolve("sa.key"),
                "--root-ca-file=" + folder.resolve("apiserver.crt"),
                "--leader-elect=false",
                "--secure-port=" + freePort(),
                "--bind-address=127.0.0.1",
                "--cert-dir=" + folder.resolve("kcm"),
                "--controllers=*");
        run(
                "kube-scheduler",
                "--kubeconfig=" + kubeconfig(),
                "--leader-elect=false",
                "--secure-port=" + freePort(),
                "--bind-address=127.0.0.1",
                "--cert-dir=" + folder.resolve("scheduler"));
        apply(rights());
        awaitServed(rights());
    }

    /** What is installed but for the operator itself, which tests start when they want it. */
    private static String rights() {
        String all = Installation.yaml(OPERATOR, "medley:test");
        return all.substring(0, all.indexOf("---\napiVersion: apps/v1"));
    }

    private void awaitReady() throws Exception {
        long untilNs = CLOCK.nowNs() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        try (KubernetesClient client = client()) {
            while (true) {
                try {
                    if ("ok".equals(client.raw("/readyz"))) {
                        return;
                    }
                } catch (KubernetesClientException e) {
                    // Not there yet.
                }
                pause(untilNs, "kube-apiserver");
            }
        }
    }

    private void pause(long untilNs, String what) throws Exception {
        for (Process process : processes) {
            if (!process.isAlive()) {
                throw new AssertionError("a part of the control plane ended; see " + folder);
            }
        }
        if (CLOCK.nowNs() > untilNs) {
            throw new AssertionError("no " + what + " after a while; see " + folder);
        }
        boolean unused = processes.get(0).waitFor(100, TimeUnit.MILLISECONDS);
    }

    private void writeKeys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        Files.writeString(
                folder.resolve("sa.pub"), pem("PUBLIC KEY", pair.getPublic().getEncoded()));
        Files.writeString(
                folder.resolve("sa.key"), pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    }

    static String pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what);
    }

    private void run(String name, String... arguments) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(binaries.resolve(name).toString());
        line.addAll(List.of(arguments));
        processes.add(
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(name + ".log").toFile())
                        .start());
    }

    /** A file for KUBECONFIG of whoever may do everything. */
    public Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** A configuration for whoever has that token. */
    public String config(String token) {
        return """
        apiVersion: v1
        kind: Config
        current-context: tests
        contexts: [{name: tests, context: {cluster: tests, user: tests}}]
        clusters:
        - name: tests
          cluster: {server: 'https://127.0.0.1:%d', insecure-skip-tls-verify: true}
        users: [{name: tests, user: {token: '%s'}}]
        """
                .formatted(apiPort, token);
    }

    /** A client that may do everything; to be closed. */
    public KubernetesClient client() {
        return client(TOKEN);
    }

    /** A client of whoever has that token; to be closed. */
    public KubernetesClient client(String token) {
        Config config = Config.fromKubeconfig(config(token));
        config.setRequestRetryBackoffLimit(1); // Who looks again and again tries again by itself.
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A way for an operator, with the rights that its installation gives it; to be closed. */
    public ClusterAccess operatorAccess() {
        return new ClusterAccess(client(token(OPERATOR, "medley-operator")));
    }

    /**
     * A token of a service account, for two hours, and for the API server if no audience is named.
     */
    public String token(String namespace, String account, String... audiences) {
        try (KubernetesClient client = client()) {
            return client.serviceAccounts()
                    .inNamespace(namespace)
                    .withName(account)
                    .tokenRequest(
                            new TokenRequestBuilder()
                                    .withNewSpec()
                                    .withExpirationSeconds(7200L)
                                    .withAudiences(audiences)
                                    .endSpec()
                                    .build())
                    .getStatus()
                    .getToken();
        }
    }

    /** Applies documents, as kubectl does. */
    public void apply(String yaml) {
        try (KubernetesClient client = client()) {
            client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                    .items()
                    .forEach(o -> client.resource(o).forceConflicts().serverSideApply());
        }
    }

    /** Waits until the definitions of resources among the documents are served. */
    void awaitServed(String yaml) throws Exception {
        long untilNs = CLOCK.nowNs() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        try (KubernetesClient client = client()) {
            for (HasMetadata item :
                    client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                            .items()) {
                while (item instanceof CustomResourceDefinition && !isEstablished(client, item)) {
                    pause(untilNs, "resource " + item.getMetadata().getName());
                }
            }
        }
    }

    private static boolean isEstablished(KubernetesClient client, HasMetadata definition) {
        CustomResourceDefinition now =
                client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(definition.getMetadata().getName())
                        .get();
        return now != null
                && now.getStatus() != null
                && now.getStatus().getConditions() != null
                && now.getStatus().getConditions().stream()
                        .anyMatch(
                                c ->
                                        c.getType().equals("Established")
                                                && c.getStatus().equals("True"));
    }

    /** What kubectl answers, as whoever may do everything; an error fails the test. */
    public String kubectl(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(binaries.resolve("kubectl").toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig().toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", words) + ": " + said);
        }
        return said;
    }

    /** A namespace that nobody else has, with its service account. */
    public String namespace() throws Exception {
        String name = "t%d-%d".formatted(COUNT.incrementAndGet(), ProcessHandle.current().pid());
        try (KubernetesClient client = client()) {
            client.resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(name)
                                    .endMetadata()
                                    .build())
                    .create();
            long untilNs = CLOCK.nowNs() + TimeUnit.SECONDS.toNanos(START_SECONDS);
            while (client.serviceAccounts().inNamespace(name).withName("default").get() == null) {
                pause(untilNs, "service account of " + name);
            }
        }
        return name;
    }

    /** Waits a moment, as somebody does who looks again and again. */
    public void pause() throws InterruptedException {
        boolean unused = processes.get(0).waitFor(100, TimeUnit.MILLISECONDS);
    }

    /** Where what was built lies. */
    Path binaries() {
        return binaries;
    }

    /** Where the processes write. */
    public Path folder() {
        return folder;
    }

    /** Stops the API server as if its machine hung, or lets it go on. */
    public void signalApiServer(String signal) throws Exception {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(processes.get(1).pid()))
                .start()
                .waitFor();
    }

    /**
     * A port that nobody listens at, below those that systems give to outgoing connections: one of
     * these may be taken before a server is there.
     */
    static int freePort() throws IOException {
        long process = ProcessHandle.current().pid();
        while (true) {
            int port = LOWEST_PORT + (int) ((process * 97 + PORTS.getAndIncrement()) % MOST_PORTS);
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(false);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (BindException e) {
                // Somebody listens there: the next one.
            }
        }
    }

    private void end() {
        for (int i = processes.size() - 1; i >= 0; i--) {
            processes.get(i).destroyForcibly();
        }
    }
}
