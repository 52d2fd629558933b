package dev.medley.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.ForeignController;
import dev.medley.kubernetes.cluster.Kubeflow;
import dev.medley.kubernetes.resource.ProgressStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trainer's own server takes what a coordinator says, and shows it in the TrainJob. */
@Tag("real")
@Timeout(300)
class TrainerStatusTest {
    private static final ProgressStatus PROGRESS =
            new ProgressStatus(
                    "run",
                    12L,
                    120L,
                    "42 %",
                    "0.5000",
                    "99.5",
                    60L,
                    3,
                    null,
                    null,
                    "2026-11-27T10:00:00Z");

    @TempDir Path folder;

    @Test
    void shouldShowInTheTrainJobHowFarItIs() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        String namespace = plane.namespace();
        try (ForeignController unused = Kubeflow.jobSet(plane);
                ForeignController trainer = Kubeflow.trainerWithStatus(plane);
                KubernetesClient client = plane.client()) {
            plane.apply(
                    """
                    apiVersion: trainer.kubeflow.org/v1alpha1
                    kind: TrainJob
                    metadata: {name: churn, namespace: %s}
                    spec:
                      runtimeRef: {name: medley}
                      suspend: true
                    """
                            .formatted(namespace));
            String address =
                    "https://127.0.0.1:%d/apis/trainer.kubeflow.org/v1alpha1/namespaces/%s/trainjobs/%s/status";
            Path token = folder.resolve("token");
            String audience =
                    "trainer.kubeflow.org/v1alpha1/namespaces/%s/trainjobs/churn/status"
                            .formatted(namespace);
            Files.writeString(token, plane.token(namespace, "default", audience));
            TrainerSink sink =
                    sink(
                            trainer,
                            address.formatted(trainer.otherPort(), namespace, "churn"),
                            token);
            tell(plane, sink);
            GenericKubernetesResource job =
                    client.genericKubernetesResources("trainer.kubeflow.org/v1alpha1", "TrainJob")
                            .inNamespace(namespace)
                            .withName("churn")
                            .require();
            assertThat(job.<Integer>get("status", "trainerStatus", "progressPercentage"))
                    .isEqualTo(42);
            assertThat(job.<Integer>get("status", "trainerStatus", "estimatedRemainingSeconds"))
                    .isEqualTo(60);
            assertThat(job.<Object>get("status", "trainerStatus", "metrics").toString())
                    .contains("name=loss, value=0.5000", "name=workers, value=3");

            TrainerSink ofAnother =
                    sink(
                            trainer,
                            address.formatted(trainer.otherPort(), namespace, "other"),
                            token);
            assertThatThrownBy(() -> ofAnother.tell(PROGRESS)).hasMessageContaining("answers 403");
        }
    }

    private static TrainerSink sink(ForeignController trainer, String url, Path token) {
        return TrainerSink.of(
                        Map.of(
                                TrainerSink.URL,
                                url,
                                TrainerSink.TOKEN,
                                token.toString(),
                                TrainerSink.CA,
                                trainer.authority().toString()))
                .orElseThrow();
    }

    /** As soon as the server listens. */
    private static void tell(ControlPlane plane, TrainerSink sink) throws Exception {
        for (int i = 0; ; i++) {
            try {
                sink.tell(PROGRESS);
                return;
            } catch (RuntimeException e) {
                if (i > 300) {
                    throw e;
                }
                plane.pause();
            }
        }
    }
}
