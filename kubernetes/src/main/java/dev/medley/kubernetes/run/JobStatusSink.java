package dev.medley.kubernetes.run;

import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.ProgressStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Set;

/**
 * Writes a run's progress into its MedleyJob's status, and nothing else there. Nothing is said of
 * another job that has its name by now.
 */
public final class JobStatusSink implements ProgressSink {
    private static final PatchContext BY_RUN =
            new PatchContext.Builder()
                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                    .withFieldManager("medley-run")
                    .withForce(true)
                    .build();

    /** It is gone, or another version by now. */
    private static final Set<Integer> MISSED = Set.of(404, 409);

    /** The operator writes meanwhile. */
    private static final int ATTEMPTS = 5;

    private final ClusterAccess cluster;
    private final JobAddress address;
    private final String uid;

    /** For the job of that namespace, name and uid. */
    public JobStatusSink(ClusterAccess cluster, JobAddress address, String uid) {
        this.cluster = cluster;
        this.address = address;
        this.uid = uid;
    }

    @Override
    public void tell(ProgressStatus progress) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            MedleyJob now =
                    cluster.client()
                            .resources(MedleyJob.class)
                            .inNamespace(address.namespace())
                            .withName(address.name())
                            .get();
            if (now == null || !uid.equals(now.getMetadata().getUid())) {
                return;
            }
            if (told(now.getMetadata().getResourceVersion(), progress)) {
                return;
            }
        }
        throw new KubernetesClientException(address + ": its status changes all the time");
    }

    /** Whether it was this version: of a status the API server compares nothing else. */
    private boolean told(String version, ProgressStatus progress) {
        MedleyJob told = new MedleyJob();
        told.setMetadata(
                new ObjectMetaBuilder()
                        .withName(address.name())
                        .withNamespace(address.namespace())
                        .withResourceVersion(version)
                        .build());
        told.setStatus(new MedleyJobStatus(null, null, null, null, null, null, progress));
        try {
            cluster.client().resource(told).subresource("status").patch(BY_RUN);
            return true;
        } catch (KubernetesClientException e) {
            if (!MISSED.contains(e.getCode())) {
                throw e;
            }
            return false;
        }
    }
}
