package dev.medley.cli.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.ProcessKubelet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors are pods that a real API server and scheduler have placed. */
@Tag("real")
@Timeout(900)
class SparkOnKubernetesTest {
    @TempDir Path folder;
    private ControlPlane plane;
    private KubernetesClient client;
    private ProcessKubelet kubelet;
    private String namespace;

    @BeforeEach
    void begin() throws Exception {
        Path spark = SparkCommand.home();
        plane = ControlPlane.shared();
        client = plane.client();
        namespace = plane.namespace();
        kubelet = new ProcessKubelet(plane, folder.resolve("kubelet"), List.of());
        kubelet.addNode(namespace + "-n1", "8", "16Gi", Map.of());
        Path script = Path.of(getClass().getResource("/spark/executor.sh").toURI());
        Files.writeString(
                folder.resolve("executor.yaml"),
                """
                apiVersion: v1
                kind: Pod
                spec:
                  containers:
                  - name: executor
                    command: [bash, %s]
                    env: [{name: SPARK_HOME, value: %s}]
                """
                        .formatted(script, spark));
        Files.writeString(
                folder.resolve("nojava.yaml"),
                """
                apiVersion: v1
                kind: Pod
                spec:
                  containers: [{name: executor, command: [java-is-not-there]}]
                """);
    }

    @AfterEach
    void end() {
        if (kubelet != null) {
            kubelet.close();
            client.namespaces().withName(namespace).delete();
            client.close();
        }
    }

    @Test
    void shouldLoseNoSampleWithAPod() throws Exception {
        try (SparkCommand command = train(plane.kubeconfig(), namespace, "spark:test")) {
            command.awaitWorkers(2);
            assertThat(pods()).hasSize(2);
            client.resource(pods().get(0)).withGracePeriod(0).delete();
            command.requireEverySampleAfterALoss();
        }
    }

    @Test
    void shouldSayWhyPodsAreNotThere() throws Exception {
        Path poor = folder.resolve("poor");
        Files.writeString(poor, plane.config(plane.token(namespace, "default")));
        Path all = plane.kubeconfig();
        try (SparkCommand forbidden = train(poor, namespace, "spark:test");
                SparkCommand nowhere = train(all, "nowhere", "spark:test");
                SparkCommand missing = train(all, namespace, "missing:1");
                SparkCommand large =
                        train(all, namespace, "spark:test", "executor", "spark.executor.cores=9");
                SparkCommand poorImage =
                        train(all, namespace, "spark:test", "nojava", "spark.a=b");
                SparkCommand unnamed = train(all, namespace, "")) {
            unnamed.requireRefusal("add --conf spark.kubernetes.container.image=IMAGE");
            forbidden.requireRefusal("does not allow GET /api/v1/namespaces/" + namespace);
            nowhere.requireRefusal("namespaces \"nowhere\" not found");
            missing.requireRefusal("does not start with image missing:1 (ErrImagePull): failed");
            poorImage.requireRefusal("java-is-not-there");
            large.awaitSaid("none has begun; no node takes pod");
        }
    }

    private List<Pod> pods() {
        return client.pods()
                .inNamespace(namespace)
                .withLabel("spark-role", "executor")
                .list()
                .getItems();
    }

    private SparkCommand train(Path kubeconfig, String namespace, String image) throws Exception {
        return train(kubeconfig, namespace, image, "executor", "spark.task.cpus=1");
    }

    private SparkCommand train(
            Path kubeconfig, String namespace, String image, String template, String more)
            throws Exception {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("--on", "k8s://" + client.getMasterUrl(), "--workers", "2"));
        List<String> settings = new ArrayList<>();
        settings.add("spark.executor.instances=2");
        settings.add("spark.executor.memory=512m");
        settings.add("spark.medley.home=" + folder);
        settings.add("spark.kubernetes.namespace=" + namespace);
        settings.add(more);
        settings.add(
                "spark.kubernetes.executor.podTemplateFile=" + folder.resolve(template + ".yaml"));
        if (!image.isEmpty()) {
            settings.add("spark.kubernetes.container.image=" + image);
        }
        settings.forEach(setting -> words.addAll(List.of("--conf", setting)));
        return SparkCommand.start(folder, Map.of("KUBECONFIG", kubeconfig.toString()), words);
    }
}
