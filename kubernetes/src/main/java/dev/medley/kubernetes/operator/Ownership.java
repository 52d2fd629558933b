package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Says whose an object is. One of the name that a job's object has may be a user's own, or left of
 * a job of the same name that was deleted: neither is taken over.
 */
final class Ownership {
    private static final Duration GONE_SOON = Duration.ofSeconds(5);

    private Ownership() {}

    /** Whether it was made for this very job. */
    static boolean isOf(HasMetadata object, MedleyJob job) {
        return controller(object)
                .filter(owner -> owner.getUid().equals(job.getMetadata().getUid()))
                .isPresent();
    }

    /** Whether it was made for this very job: Jobs own pods, so a label says it. */
    static boolean isOf(Pod pod, MedleyJob job) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        String uid = labels == null ? null : labels.get(ObjectNames.UID);
        return uid == null || uid.equals(job.getMetadata().getUid());
    }

    /**
     * Looks at what is there in place of an object that is to be made.
     *
     * @throws TakenException unless both have the same owner, or what is wished has none
     */
    static void require(HasMetadata wished, HasMetadata there) {
        Optional<OwnerReference> wanted = controller(wished);
        Optional<OwnerReference> found = controller(there);
        if (wanted.isEmpty()
                || found.filter(o -> o.getUid().equals(wanted.get().getUid())).isPresent()) {
            return;
        }
        String name = there.getKind() + " " + there.getMetadata().getName();
        if (there.getMetadata().getDeletionTimestamp() != null) {
            throw soon("waits for %s to be gone, which is being deleted".formatted(name));
        } else if (found.isEmpty()) {
            throw new TakenException(
                    JobTrouble.ofOthers(
                            "%s was not made for this job: choose another name for the job"
                                    .formatted(name)));
        }
        OwnerReference owner = found.get();
        if (owner.getKind().equals(wanted.get().getKind())
                && owner.getName().equals(wanted.get().getName())) {
            throw soon(
                    "waits for %s to be gone, which belongs to a job of this name that was deleted"
                            .formatted(name));
        }
        throw new TakenException(
                JobTrouble.ofOthers(
                        "%s belongs to %s %s: choose another name for the job"
                                .formatted(name, owner.getKind(), owner.getName())));
    }

    private static TakenException soon(String sentence) {
        return new TakenException(new JobTrouble(sentence, false, GONE_SOON));
    }

    private static Optional<OwnerReference> controller(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst();
    }
}
