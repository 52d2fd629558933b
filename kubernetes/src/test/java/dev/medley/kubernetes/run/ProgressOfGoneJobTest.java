package dev.medley.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.ProgressStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("real")
@Timeout(120)
class ProgressOfGoneJobTest {
    /** A coordinator whose job was deleted lives for its grace period. */
    @Test
    void shouldNotBeToldOfAnotherJobOfItsName() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        JobAddress address = new JobAddress(plane.namespace(), "again");
        try (KubernetesClient client = plane.client()) {
            ClusterAccess cluster = new ClusterAccess(client);
            MedleyJob first = create(client, address);
            JobStatusSink ofFirst = new JobStatusSink(cluster, address, uid(first));
            ofFirst.tell(progress(7));
            assertThat(step(client, first)).isEqualTo(7);
            client.resource(first).delete();
            ofFirst.tell(progress(8));
            MedleyJob second = create(client, address);
            ofFirst.tell(progress(9));
            assertThat(client.resource(second).require().getStatus()).isNull();
            new JobStatusSink(cluster, address, uid(second)).tell(progress(1));
            assertThat(step(client, second)).isEqualTo(1);
        }
    }

    private static MedleyJob create(KubernetesClient client, JobAddress address) {
        String text =
                """
                apiVersion: medley.dev/v1
                kind: MedleyJob
                metadata: {name: %s, namespace: %s}
                spec: {job: 'name: a', flavors: [{name: cpu}]}
                """
                        .formatted(address.name(), address.namespace());
        HasMetadata unused = client.resource(text).create();
        return client.resources(MedleyJob.class)
                .inNamespace(address.namespace())
                .withName(address.name())
                .require();
    }

    private static String uid(MedleyJob job) {
        return Objects.requireNonNull(job.getMetadata().getUid());
    }

    private static long step(KubernetesClient client, MedleyJob job) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(client.resource(job).require().getStatus())
                                .progress())
                .step();
    }

    private static ProgressStatus progress(long step) {
        return new ProgressStatus(
                "run",
                step,
                10L * step,
                null,
                null,
                null,
                null,
                1,
                null,
                null,
                "2026-11-28T08:00:00Z");
    }
}
