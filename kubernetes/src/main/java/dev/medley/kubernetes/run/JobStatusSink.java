package dev.medley.kubernetes.run;

import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.ProgressStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** Writes a run's progress into its MedleyJob's status, and nothing else there. */
public final class JobStatusSink implements ProgressSink {
    private static final PatchContext BY_RUN =
            new PatchContext.Builder()
                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                    .withFieldManager("medley-run")
                    .withForce(true)
                    .build();

    private final ClusterAccess cluster;
    private final JobAddress address;

    /** For the job of that namespace and name. */
    public JobStatusSink(ClusterAccess cluster, JobAddress address) {
        this.cluster = cluster;
        this.address = address;
    }

    @Override
    public void tell(ProgressStatus progress) {
        MedleyJob told = new MedleyJob();
        told.setMetadata(
                new ObjectMetaBuilder()
                        .withName(address.name())
                        .withNamespace(address.namespace())
                        .build());
        told.setStatus(new MedleyJobStatus(null, null, null, null, null, null, progress));
        cluster.client().resource(told).subresource("status").patch(BY_RUN);
    }
}
