package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.ForeignController;
import dev.medley.kubernetes.cluster.Kubeflow;
import dev.medley.kubernetes.install.Installation;
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
@Timeout(300)
class TrainJobTest {
    @TempDir Path folder;

    @Test
    void shouldTrainAnUnchangedTrainJob() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        try (ForeignController unusedJobSet = Kubeflow.jobSet(plane);
                ForeignController unusedTrainer = Kubeflow.trainer(plane);
                KubernetesWorld world = KubernetesWorld.withoutOperator(folder)) {
            Kubeflow.apply(
                    plane, Installation.trainer(world.namespace, "medley:test", Clock.system()));
            Kubeflow.apply(
                    plane,
                    """
                    apiVersion: trainer.kubeflow.org/v1alpha1
                    kind: TrainJob
                    metadata: {name: churn, namespace: %s}
                    spec:
                      runtimeRef: {name: medley}
                      trainer:
                        numNodes: 3
                        env:
                        - name: MEDLEY_JOB
                          value: |
                            data: {train: %s, label: label}
                            model: linear
                            train: {epochs: 200, batch: 60}
                            cluster: {threads: 1}
                    """
                            .formatted(world.namespace, world.table(1200)));
            world.await("end of the TrainJob", () -> has(world, "Complete"));
            assertThat(world.client.pods().inNamespace(world.namespace).list().getItems())
                    .hasSize(3)
                    .allSatisfy(
                            pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Succeeded"));
            assertThat(world.everything()).contains("of 3 workers begins");
        }
    }

    private static boolean has(KubernetesWorld world, String condition) {
        GenericKubernetesResource job =
                world.client
                        .genericKubernetesResources("trainer.kubeflow.org/v1alpha1", "TrainJob")
                        .inNamespace(world.namespace)
                        .withName("churn")
                        .require();
        List<Map<String, Object>> conditions = job.get("status", "conditions");
        return conditions != null
                && conditions.stream()
                        .anyMatch(
                                c ->
                                        condition.equals(c.get("type"))
                                                && "True".equals(c.get("status")));
    }
}
