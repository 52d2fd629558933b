package dev.medley.kubernetes.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what keeps a job from being brought about.
 *
 * @param sentence for whoever looks at the job
 * @param isRefusal whether somebody has to do something; else it passes by itself
 * @param again after which it is tried anew; null where a change of the job alone helps
 */
record JobTrouble(String sentence, boolean isRefusal, @Nullable Duration again) {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    /** A bad request, a conflict, what a webhook or a rule of the API refuses. */
    private static final Set<Integer> REFUSED = Set.of(400, 409, 422);

    private static final Duration AGAIN = Duration.ofSeconds(30);

    /** The job cannot be run as it is. */
    static JobTrouble ofJob(String sentence) {
        return new JobTrouble(sentence, true, null);
    }

    /** Somebody else has to change something, which nobody tells. */
    static JobTrouble ofOthers(String sentence) {
        return new JobTrouble(sentence, true, AGAIN);
    }

    /**
     * What the API server answered.
     *
     * @throws KubernetesClientException if that is no refusal: it may answer otherwise soon
     */
    static JobTrouble of(KubernetesClientException e) {
        if (e.getCode() == FORBIDDEN) {
            return new JobTrouble(
                    "the operator may not do this: "
                            + said(e)
                            + "; give its service account that right (medley kubernetes install"
                            + " prints the roles), or ask who gives quota and policies of the"
                            + " namespace",
                    true,
                    AGAIN);
        } else if (REFUSED.contains(e.getCode())) {
            return new JobTrouble(
                    "the API server refuses what is made of this job: "
                            + said(e)
                            + "; change the MedleyJob, which is tried again every 30 s",
                    true,
                    AGAIN);
        }
        throw e;
    }

    /** Whether the answer is that this object is not there any more. */
    static boolean isGone(KubernetesClientException e, HasMetadata object) {
        Status status = e.getStatus();
        return e.getCode() == NOT_FOUND
                && status != null
                && status.getDetails() != null
                && object.getMetadata().getName().equals(status.getDetails().getName());
    }

    /** In the server's words. */
    static String said(KubernetesClientException e) {
        Status status = e.getStatus();
        return status == null || status.getMessage() == null
                ? String.valueOf(e.getMessage())
                : status.getMessage();
    }
}
