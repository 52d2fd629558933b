package dev.medley.kubernetes.cluster;

import static org.junit.jupiter.api.Assumptions.abort;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Runs Kueue's real controller beside a control plane, with the webhooks that jobs need. */
public final class Kueue implements AutoCloseable {
    private static final Set<String> WEBHOOKS =
            Set.of("mjob.kb.io", "mclusterqueue.kb.io", "mresourceflavor.kb.io", "mworkload.kb.io");

    private final Process process;

    private Kueue(Process process) {
        this.process = process;
    }

    /** Starts it; aborts the test where it was not built. */
    public static Kueue start(ControlPlane plane) throws Exception {
        Path binary = plane.binaries().resolve("kueue");
        if (!Files.isExecutable(binary)) {
            abort(
                    "skipped: no kueue in %s; tools/kube/build.sh makes it"
                            .formatted(plane.binaries()));
        }
        Path definitions = plane.binaries().resolve("kueue.yaml");
        // It reads a certificate for its figures from a path of its image: it has its own root.
        Path folder = Files.createDirectories(plane.folder().resolve("kueue"));
        Path figures = Files.createDirectories(folder.resolve("etc/kueue/metrics/certs"));
        Files.createDirectories(folder.resolve("tmp"));
        Files.copy(binary, folder.resolve("manager"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(plane.kubeconfig(), folder.resolve("kubeconfig"));
        try (Stream<Path> files = Files.list(definitions.resolve("crd/bases"))) {
            for (Path file : files.sorted().toList()) {
                plane.apply(Files.readString(file));
            }
        }
        String authority = certificate(folder);
        Files.copy(folder.resolve("tls.crt"), figures.resolve("tls.crt"));
        Files.copy(folder.resolve("tls.key"), figures.resolve("tls.key"));
        int port = freePort();
        Files.writeString(
                folder.resolve("config.yaml"),
                """
                apiVersion: config.kueue.x-k8s.io/v1beta2
                kind: Configuration
                namespace: kueue-system
                health: {healthProbeBindAddress: "127.0.0.1:0"}
                metrics: {bindAddress: "0"}
                webhook: {port: %d, host: 127.0.0.1, certDir: /}
                leaderElection: {leaderElect: false}
                internalCertManagement: {enable: false}
                clientConnection: {qps: 300, burst: 500}
                integrations: {frameworks: [batch/job]}
                """
                        .formatted(port));
        plane.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: kueue-system}\n");
        boolean isRoot = System.getProperty("user.name").equals("root");
        List<String> line =
                new ArrayList<>(
                        isRoot
                                ? List.of("chroot", folder.toString())
                                : List.of("unshare", "-r", "-R", folder.toString()));
        line.addAll(
                List.of(
                        "/manager",
                        "--config=/config.yaml",
                        "--feature-gates=VisibilityOnDemand=false"));
        ProcessBuilder builder =
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        builder.environment().put("KUBECONFIG", "/kubeconfig");
        Kueue kueue = new Kueue(builder.start());
        Runtime.getRuntime().addShutdownHook(new Thread(kueue::close));
        applyWebhooks(plane, definitions.resolve("webhook/manifests.yaml"), authority, port);
        return kueue;
    }

    /** Those that matter here, at the process's own address. */
    private static void applyWebhooks(
            ControlPlane plane, Path manifests, String authority, int port) throws IOException {
        try (KubernetesClient client = plane.client()) {
            for (HasMetadata item : client.load(Files.newInputStream(manifests)).items()) {
                if (!item.getKind().startsWith("Mutating")) {
                    continue;
                }
                var configuration =
                        (io.fabric8.kubernetes.api.model.admissionregistration.v1
                                        .MutatingWebhookConfiguration)
                                item;
                configuration.getMetadata().setName("kueue");
                configuration
                        .getWebhooks()
                        .removeIf(webhook -> !WEBHOOKS.contains(webhook.getName()));
                configuration
                        .getWebhooks()
                        .forEach(
                                webhook -> {
                                    var to = webhook.getClientConfig();
                                    to.setUrl(
                                            "https://127.0.0.1:%d%s"
                                                    .formatted(port, to.getService().getPath()));
                                    to.setService(null);
                                    to.setCaBundle(authority);
                                });
                client.resource(configuration).serverSideApply();
            }
        }
    }

    /** A key and a certificate for 127.0.0.1, as PEM; the certificate in Base64 for API servers. */
    private static String certificate(Path folder) throws Exception {
        Path store = folder.resolve("webhook.p12");
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        line.addAll(List.of("-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname", "CN=kueue"));
        line.addAll(List.of("-ext", "san=ip:127.0.0.1", "-validity", "3", "-storetype", "PKCS12"));
        line.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit"));
        new ProcessBuilder(line).start().waitFor();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        String key =
                ControlPlane.pem(
                        "PRIVATE KEY", keys.getKey("a", "changeit".toCharArray()).getEncoded());
        String certificate = ControlPlane.pem("CERTIFICATE", keys.getCertificate("a").getEncoded());
        Files.writeString(folder.resolve("tls.key"), key);
        Files.writeString(folder.resolve("tls.crt"), certificate);
        return Base64.getEncoder().encodeToString(certificate.getBytes(StandardCharsets.US_ASCII));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** A queue of a namespace with as many cores. */
    public static void queue(ControlPlane plane, String namespace, String cpus) throws Exception {
        String text =
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ResourceFlavor
                metadata: {name: plain}
                ---
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ClusterQueue
                metadata: {name: %1$s}
                spec:
                  namespaceSelector: {}
                  resourceGroups:
                  - coveredResources: [cpu]
                    flavors:
                    - name: plain
                      resources: [{name: cpu, nominalQuota: "%2$s"}]
                ---
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: LocalQueue
                metadata: {name: team, namespace: %1$s}
                spec: {clusterQueue: %1$s}
                """
                        .formatted(namespace, cpus);
        for (int i = 0; ; i++) {
            try {
                plane.apply(text);
                return;
            } catch (RuntimeException e) {
                if (i > 300) {
                    throw e;
                }
                plane.pause(); // Its webhook does not listen yet.
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
