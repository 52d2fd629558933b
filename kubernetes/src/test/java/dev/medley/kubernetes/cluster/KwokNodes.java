package dev.medley.kubernetes.cluster;

import static org.junit.jupiter.api.Assumptions.abort;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Is a thousand nodes, say, whose pods are ready without running: KWOK's real controller keeps
 * them. The scheduler and all controllers see them as they see others.
 */
public final class KwokNodes implements AutoCloseable {
    private static final String MARK = "kwok.x-k8s.io/node";

    /** Pods stay ready until somebody deletes them: the stage that completes them is left out. */
    private static final List<String> STAGES =
            List.of(
                    "node/fast/node-initialize.yaml",
                    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
                    "pod/fast/pod-ready.yaml",
                    "pod/fast/pod-delete.yaml");

    private final Process process;
    private final KubernetesClient client;
    private final int count;

    private KwokNodes(Process process, KubernetesClient client, int count) {
        this.process = process;
        this.client = client;
        this.count = count;
    }

    /** Makes so many nodes, of eight cores each; aborts the test where KWOK was not built. */
    public static KwokNodes start(ControlPlane plane, int count) throws IOException {
        Path binary = plane.binaries().resolve("kwok");
        Path stages = plane.binaries().resolve("kwok.yaml");
        if (!Files.isExecutable(binary)) {
            abort(
                    "skipped: no kwok in %s; tools/kube/build.sh makes it"
                            .formatted(plane.binaries()));
        }
        Path folder = Files.createDirectories(plane.folder().resolve("kwok"));
        List<String> line = new ArrayList<>(List.of(binary.toString()));
        line.add("--kubeconfig=" + plane.kubeconfig());
        line.add("--manage-nodes-with-annotation-selector=" + MARK + "=fake");
        line.add("--v=WARN");
        // Renewed at a quarter of it, in time for whoever looks after nodes.
        line.add("--node-lease-duration-seconds=120");
        STAGES.forEach(stage -> line.add("--config=" + stages.resolve(stage)));
        Process process =
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        KwokNodes nodes = new KwokNodes(process, plane.client(), count);
        for (int i = 0; i < count; i++) {
            Node unused = nodes.client.resource(node(i)).create();
        }
        return nodes;
    }

    private static Node node(int i) {
        Map<String, Quantity> room =
                Map.of(
                        "cpu", new Quantity("8"),
                        "memory", new Quantity("32Gi"),
                        "pods", new Quantity("110"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName("kwok-" + i)
                .withAnnotations(Map.of(MARK, "fake"))
                .withLabels(
                        Map.of(
                                "type", "kwok",
                                "kubernetes.io/hostname", "kwok-" + i,
                                "topology.kubernetes.io/zone", "zone-" + i % 4))
                .endMetadata()
                .withNewStatus()
                .withCapacity(room)
                .withAllocatable(room)
                .endStatus()
                .build();
    }

    /** Whether all of them take pods. */
    public boolean areReady() {
        return client.nodes().withLabel("type", "kwok").list().getItems().stream()
                        .filter(KwokNodes::isReady)
                        .count()
                == count;
    }

    private static boolean isReady(Node node) {
        return node.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"))
                && node.getSpec().getTaints().isEmpty();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        client.nodes().withLabel("type", "kwok").delete();
        client.close();
    }
}
