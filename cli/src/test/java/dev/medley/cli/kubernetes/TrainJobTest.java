package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.ForeignController;
import dev.medley.kubernetes.cluster.Kubeflow;
import dev.medley.kubernetes.cluster.TakesMinutes;
import dev.medley.kubernetes.install.Installation;
import dev.medley.record.folder.RunFolder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A TrainJob as any user of Kubeflow writes it trains with Medley. */
@Tag("real")
@TakesMinutes
@Timeout(1200)
class TrainJobTest {
    @TempDir Path folder;

    @Test
    void shouldTrainAnUnchangedTrainJob() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        try (ForeignController unusedJobSet = Kubeflow.jobSet(plane);
                ForeignController unusedTrainer = Kubeflow.trainer(plane);
                KubernetesWorld world = KubernetesWorld.withoutOperator(folder)) {
            plane.apply(
                    Installation.trainer(world.namespace, "medley:test", Clock.system())
                            .replace(
                                    "{name: medley-runs, emptyDir: {}}",
                                    "{name: medley-runs, persistentVolumeClaim: {claimName:"
                                            + " runs}}"));
            Path table = world.table(1200);
            // Two over one volume: each has a folder of its own there.
            plane.apply(job(world, "churn", 3, table));
            plane.apply(job(world, "other", 1, table));
            world.await("end of both", () -> has(world, "churn") && has(world, "other"));
            assertThat(RunFolder.list(world.runs("churn"))).hasSize(1);
            assertThat(RunFolder.list(world.runs("other"))).hasSize(1);
            assertThat(world.client.pods().inNamespace(world.namespace).list().getItems())
                    .hasSize(4)
                    .allSatisfy(
                            pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Succeeded"));
            assertThat(world.everything()).contains("of 3 workers begins");
        }
    }

    private static String job(KubernetesWorld world, String name, int nodes, Path table) {
        return """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: %s, namespace: %s}
        spec:
          runtimeRef: {name: medley}
          trainer:
            numNodes: %d
            env:
            - name: MEDLEY_JOB
              value: |
                data: {train: %s, label: label}
                model: linear
                train: {epochs: 200, batch: 60}
                cluster: {threads: 1}
        """
                .formatted(name, world.namespace, nodes, table);
    }

    private static boolean has(KubernetesWorld world, String name) {
        GenericKubernetesResource job =
                world.client
                        .genericKubernetesResources("trainer.kubeflow.org/v1alpha1", "TrainJob")
                        .inNamespace(world.namespace)
                        .withName(name)
                        .require();
        List<Map<String, Object>> conditions = job.get("status", "conditions");
        return conditions != null
                && conditions.stream()
                        .anyMatch(
                                c ->
                                        "Complete".equals(c.get("type"))
                                                && "True".equals(c.get("status")));
    }
}
