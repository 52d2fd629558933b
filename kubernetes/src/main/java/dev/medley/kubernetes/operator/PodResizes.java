package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resizes the pods of a flavor in place where its processor or memory was changed. Its Indexed Job
 * stays as it was made, since the API server lets nobody change a Job's pods: those that it makes
 * later are resized when they are seen.
 *
 * <p>An annotation says to which size of the flavor a pod was brought. So a pod that somebody else
 * resizes is left alone until the flavor is changed.
 */
final class PodResizes {
    /** The API server has no such subresource, or refuses this change for good. */
    private static final int CONFLICT = 409;

    private static final Set<Integer> REFUSED = Set.of(400, 403, 404, 405, 422);

    private final ClusterChanges changes;

    PodResizes(ClusterChanges changes) {
        this.changes = changes;
    }

    /** Resizes those pods that are not as their flavor is. */
    void bringAbout(MedleyJob job, Flavor flavor, Job workers, List<Pod> pods) {
        PodSize made = PodSize.made(workers);
        PodSize wanted = PodSize.of(flavor.resources());
        if (job.getSpec().queue() != null) {
            return;
        }
        int resized = 0;
        String refusal = null;
        for (Pod pod : pods) {
            if (!isToResize(pod, made, wanted)) {
                continue;
            }
            try {
                if (wanted.covers(made)) {
                    changes.resize(pod, container(workers), wanted);
                    resized++;
                } else {
                    refusal = "a request or limit can be changed, and not taken away";
                }
            } catch (KubernetesClientException e) {
                if (JobTrouble.isGone(e, pod) || e.getCode() == CONFLICT) {
                    continue; // It is looked at again.
                } else if (!REFUSED.contains(e.getCode())) {
                    throw e;
                }
                refusal = JobTrouble.said(e);
            }
            changes.mark(pod, ObjectNames.SIZE, wanted.words());
        }
        if (resized > 0) {
            String what =
                    "%s: %d pod%s resized in place to %s"
                            .formatted(
                                    flavor.name(),
                                    resized,
                                    resized == 1 ? "" : "s",
                                    wanted.words());
            changes.event(job, "Normal", "Resized", what);
        }
        if (refusal != null) {
            String what = "%s: pods are not resized in place: %s; %s";
            changes.event(
                    job,
                    "Warning",
                    "NotResized",
                    what.formatted(flavor.name(), refusal, advice(workers)));
        }
    }

    /** The worker's, as the Job has it: what others put into a pod keeps its size. */
    private static String container(Job workers) {
        return workers.getSpec().getTemplate().getSpec().getContainers().get(0).getName();
    }

    private static boolean isToResize(Pod pod, PodSize made, PodSize wanted) {
        String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
        boolean isAlive = "Pending".equals(phase) || "Running".equals(phase);
        Map<String, String> marks = pod.getMetadata().getAnnotations();
        String mark = marks == null ? null : marks.get(ObjectNames.SIZE);
        return isAlive && !wanted.words().equals(mark == null ? made.words() : mark);
    }

    /** What there is to say of a flavor's size; null where its pods are made as it says. */
    static @Nullable String note(MedleyJob job, Flavor flavor, Job workers, List<Pod> pods) {
        PodSize made = PodSize.made(workers);
        PodSize wanted = PodSize.of(flavor.resources());
        if (made.words().equals(wanted.words())) {
            return null;
        }
        if (job.getSpec().queue() != null) {
            return "pods keep %s, as Kueue counts them; %s"
                    .formatted(made.words(), advice(workers));
        }
        for (Pod pod : pods) {
            for (PodCondition condition : pod.getStatus().getConditions()) {
                boolean waits =
                        condition.getType().equals("PodResizePending")
                                && condition.getStatus().equals("True");
                if (waits) {
                    return "pod %s waits to be resized to %s (%s): %s"
                            .formatted(
                                    pod.getMetadata().getName(),
                                    wanted.words(),
                                    condition.getReason(),
                                    condition.getMessage());
                }
            }
        }
        return "pods are made with %s, as the Job was, and resized in place to %s where they can be"
                .formatted(made.words(), wanted.words());
    }

    private static String advice(Job workers) {
        return ("kubectl delete job %s has them made anew with what the flavor says, when they have"
                        + " ended their step and left")
                .formatted(workers.getMetadata().getName());
    }
}
