package dev.medley.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("real")
@Timeout(120)
class StatusOfGoneJobTest {
    /** A look at the old one may end when the new one is there. */
    @Test
    void shouldNotBeToldOfAnotherJobOfItsName() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        String namespace = plane.namespace();
        try (KubernetesClient client = plane.client()) {
            ClusterChanges changes = new ClusterChanges(client, Clock.system());
            MedleyJob first = create(client, namespace);
            changes.status(first, status(JobPhaseName.Pending));
            assertThat(phase(client, first)).isEqualTo(JobPhaseName.Pending);
            client.resource(first).delete();
            changes.status(first, status(JobPhaseName.Failed));
            MedleyJob second = create(client, namespace);
            changes.status(first, status(JobPhaseName.Failed));
            assertThat(client.resource(second).require().getStatus()).isNull();
            changes.status(second, status(JobPhaseName.Pending));
            assertThat(phase(client, second)).isEqualTo(JobPhaseName.Pending);
        }
    }

    private static MedleyJob create(KubernetesClient client, String namespace) {
        String text =
                """
                apiVersion: medley.dev/v1
                kind: MedleyJob
                metadata: {name: again, namespace: %s}
                spec: {job: 'name: a', flavors: [{name: cpu}]}
                """
                        .formatted(namespace);
        HasMetadata unused = client.resource(text).create();
        return client.resources(MedleyJob.class).inNamespace(namespace).withName("again").require();
    }

    private static JobPhaseName phase(KubernetesClient client, MedleyJob job) {
        return Objects.requireNonNull(client.resource(job).require().getStatus()).phase();
    }

    private static MedleyJobStatus status(JobPhaseName phase) {
        return new MedleyJobStatus(phase, "so", 1L, 0, List.of(), List.of(), null);
    }
}
