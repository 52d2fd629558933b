package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.quota.QueueTurns;
import dev.medley.kubernetes.quota.QuotaStand;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.ProgressStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps workloads of a job out of Kueue while another job that comes first lacks some of what it
 * needs to begin. Lets them in again afterwards.
 */
final class KueueTurns {
    /** While a job has a part, or is kept out, it is looked at so often: no write is made. */
    private static final Duration AGAIN = Duration.ofSeconds((long) QueueTurns.PATIENCE_S);

    /** A coordinator that trains says so every ten seconds. */
    private static final Duration NEWS = Duration.ofSeconds(60);

    private final KueueObjects kueue;
    private final ClusterChanges changes;

    KueueTurns(KueueObjects kueue, ClusterChanges changes) {
        this.kueue = kueue;
        this.changes = changes;
    }

    /** Does it; after which time it is to be looked at again, if nothing changes. */
    Optional<Duration> take(MedleyJob job, JobObjects objects, Instant now) {
        List<GenericKubernetesResource> all = kueue.workloads();
        Optional<QuotaStand> stand = stand(job, objects, all, now);
        if (stand.isEmpty()) {
            return Optional.empty();
        }
        List<QuotaStand> others =
                kueue.rivals(job).stream()
                        .flatMap(other -> stand(other, objects, all, now).stream())
                        .toList();
        String why =
                QueueTurns.outBecause(
                                stand.get(),
                                others,
                                kueue.room(job, objects),
                                now.toEpochMilli() / 1e3)
                        .orElse(null);
        ObservedJob seen = objects.observed(job);
        List<GenericKubernetesResource> own =
                all.stream().filter(workload -> seen.owns(workload)).toList();
        if (why != null) {
            own.stream().filter(w -> !QuotaStand.isHeld(w)).forEach(w -> changes.hold(w, why));
        } else {
            own.stream().filter(QuotaStand::isHeld).forEach(w -> changes.hold(w, null));
        }
        if (stand.get().isHeld() != (why != null)) {
            String part =
                    why == null
                            ? "asks for its quota again"
                            : "gives back its part of the quota: " + why;
            changes.event(job, "Normal", why == null ? "LetIn" : "KeptOut", part);
        }
        return Optional.of(AGAIN);
    }

    /** Of a job that has a part of its least or is kept out, and does not train. */
    private static Optional<QuotaStand> stand(
            MedleyJob job,
            JobObjects objects,
            List<GenericKubernetesResource> workloads,
            Instant now) {
        ObservedJob seen = objects.observed(job);
        Map<String, String> workers = new HashMap<>();
        seen.workers().forEach((flavor, w) -> workers.put(flavor, w.getMetadata().getUid()));
        @Nullable String coordinator =
                seen.coordinator().map(Job::getMetadata).map(m -> m.getUid()).orElse(null);
        QuotaStand stand = QuotaStand.of(job, coordinator, workers, workloads);
        boolean isHalf = stand.having() > 0 && stand.lacking() > 0 && !trains(job, now);
        return isHalf || stand.isHeld() ? Optional.of(stand) : Optional.empty();
    }

    /** With a part of its flavors, too, a run may go on. */
    private static boolean trains(MedleyJob job, Instant now) {
        MedleyJobStatus status = job.getStatus();
        ProgressStatus progress = status == null ? null : status.progress();
        Integer workers = progress == null ? null : progress.workers();
        String time = progress == null ? null : progress.time();
        return workers != null
                && workers > 0
                && time != null
                && Instant.parse(time).plus(NEWS).isAfter(now);
    }
}
