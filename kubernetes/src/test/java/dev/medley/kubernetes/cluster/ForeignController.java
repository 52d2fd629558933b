package dev.medley.kubernetes.cluster;

import static org.junit.jupiter.api.Assumptions.abort;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Runs a real controller of others beside a control plane: Kueue, JobSet, Kubeflow's Trainer. Such
 * a one expects to be in its image, so it has a root folder of its own; those of its webhooks that
 * change objects are called at its own address.
 */
public final class ForeignController implements AutoCloseable {
    private static final String CERTIFICATES = "tmp/k8s-webhook-server/serving-certs";

    private final Process process;
    private final ControlPlane plane;
    private final String name;
    private final int other;

    private ForeignController(Process process, ControlPlane plane, String name, int other) {
        this.other = other;
        this.process = process;
        this.plane = plane;
        this.name = name;
    }

    /**
     * What is to be started.
     *
     * @param name of the program and of the folder of its manifests, as tools/kube/build.sh has
     *     them
     * @param config its configuration; %1$d in it is the port of its webhooks, %2$d another one
     * @param arguments beside the configuration
     * @param definitions folder of its resources, in that of its manifests
     * @param webhooks that are called
     * @param files of its image, by path
     */
    record Wish(
            String name,
            String config,
            List<String> arguments,
            String definitions,
            Set<String> webhooks,
            Map<String, String> files) {
        Wish(
                String name,
                String config,
                List<String> arguments,
                String definitions,
                Set<String> webhooks) {
            this(name, config, arguments, definitions, webhooks, Map.of());
        }
    }

    /** Starts it; aborts the test where it was not built. */
    static ForeignController start(ControlPlane plane, Wish wish) throws Exception {
        Path binary = plane.binaries().resolve(wish.name());
        if (!Files.isExecutable(binary)) {
            abort(
                    "skipped: no %s in %s; tools/kube/build.sh makes it"
                            .formatted(wish.name(), plane.binaries()));
        }
        Path manifests = plane.binaries().resolve(wish.name() + ".yaml");
        Path folder = Files.createDirectories(plane.folder().resolve(wish.name()));
        Path certificates = Files.createDirectories(folder.resolve(CERTIFICATES));
        Path figures = Files.createDirectories(folder.resolve("etc/kueue/metrics/certs"));
        Files.copy(binary, folder.resolve("manager"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(plane.kubeconfig(), folder.resolve("kubeconfig"));
        try (Stream<Path> files = Files.list(manifests.resolve(wish.definitions()))) {
            for (Path file :
                    files.filter(f -> !f.endsWith("kustomization.yaml")).sorted().toList()) {
                String text = Files.readString(file);
                plane.apply(text);
                plane.awaitServed(text);
            }
        }
        String authority = certificate(certificates);
        for (String file : List.of("tls.crt", "tls.key", "ca.crt")) {
            Files.copy(certificates.resolve(file), figures.resolve(file));
        }
        int port = ControlPlane.freePort();
        int other = ControlPlane.freePort();
        Files.writeString(folder.resolve("config.yaml"), wish.config().formatted(port, other));
        for (Map.Entry<String, String> file : wish.files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        plane.apply(
                "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s-system}\n"
                        .formatted(wish.name()));
        boolean isRoot = System.getProperty("user.name").equals("root");
        List<String> line =
                new ArrayList<>(
                        isRoot
                                ? List.of("chroot", folder.toString())
                                : List.of("unshare", "-r", "-R", folder.toString()));
        line.addAll(List.of("/manager", "--config=/config.yaml"));
        line.addAll(wish.arguments());
        ProcessBuilder builder =
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        builder.environment().put("KUBECONFIG", "/kubeconfig");
        builder.environment().put("POD_NAMESPACE", wish.name() + "-system");
        ForeignController controller =
                new ForeignController(builder.start(), plane, wish.name(), other);
        Runtime.getRuntime().addShutdownHook(new Thread(controller.process::destroyForcibly));
        applyWebhooks(plane, manifests.resolve("webhook/manifests.yaml"), authority, wish, port);
        controller.awaitListening(port);
        return controller;
    }

    /** Waits for its webhooks; one that ended before says why. */
    private void awaitListening(int port) throws Exception {
        for (int i = 0; i < 1200; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (ConnectException e) {
                if (!process.isAlive()) {
                    break;
                }
                plane.pause();
            }
        }
        List<String> log = Files.readAllLines(plane.folder().resolve(name).resolve("log"));
        throw new AssertionError(
                "%s does not listen at %d: %s"
                        .formatted(name, port, log.isEmpty() ? "" : log.get(log.size() - 1)));
    }

    private static void applyWebhooks(
            ControlPlane plane, Path manifests, String authority, Wish wish, int port)
            throws IOException {
        try (KubernetesClient client = plane.client()) {
            for (HasMetadata item : client.load(Files.newInputStream(manifests)).items()) {
                if (!(item instanceof MutatingWebhookConfiguration webhooks)) {
                    continue;
                }
                webhooks.getMetadata().setName(wish.name());
                webhooks.getWebhooks().removeIf(w -> !wish.webhooks().contains(w.getName()));
                webhooks.getWebhooks()
                        .forEach(
                                webhook -> {
                                    var to = webhook.getClientConfig();
                                    to.setUrl(
                                            "https://127.0.0.1:%d%s"
                                                    .formatted(port, to.getService().getPath()));
                                    to.setService(null);
                                    to.setCaBundle(authority);
                                });
                HasMetadata unused = client.resource(webhooks).serverSideApply();
            }
        }
    }

    /** A key and a certificate for 127.0.0.1, as PEM; the certificate in Base64 for API servers. */
    private static String certificate(Path folder) throws Exception {
        Path store = folder.resolve("webhook.p12");
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        line.addAll(List.of("-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname", "CN=tests"));
        line.addAll(List.of("-ext", "san=ip:127.0.0.1", "-validity", "3", "-storetype", "PKCS12"));
        line.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit"));
        new ProcessBuilder(line).start().waitFor();
        char[] password = "changeit".toCharArray();
        KeyStore keys = KeyStore.getInstance(store.toFile(), password);
        String key = ControlPlane.pem("PRIVATE KEY", keys.getKey("a", password).getEncoded());
        String certificate = ControlPlane.pem("CERTIFICATE", keys.getCertificate("a").getEncoded());
        Files.writeString(folder.resolve("tls.key"), key);
        Files.writeString(folder.resolve("tls.crt"), certificate);
        Files.writeString(folder.resolve("ca.crt"), certificate);
        return Base64.getEncoder().encodeToString(certificate.getBytes(StandardCharsets.US_ASCII));
    }

    /** A port of this machine that its configuration has beside that of its webhooks. */
    public int otherPort() {
        return other;
    }

    /** The certificate by which its servers are known. */
    public Path authority() {
        return plane.folder().resolve(name).resolve(CERTIFICATES).resolve("ca.crt");
    }

    /** Ends it, and calls its webhooks no more. */
    @Override
    public void close() {
        try (KubernetesClient client = plane.client()) {
            client.admissionRegistration()
                    .v1()
                    .mutatingWebhookConfigurations()
                    .withName(name)
                    .delete();
        }
        process.destroyForcibly();
    }
}
