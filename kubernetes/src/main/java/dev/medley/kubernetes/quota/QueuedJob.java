package dev.medley.kubernetes.quota;

import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.ProgressStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is known of a job that shares a queue's quota with others.
 *
 * @param key namespace and name
 * @param reserved workers by flavor for which it has quota; empty while it waits for its least
 * @param arrivalS when it was created, in seconds of the epoch
 * @param samples applied so far
 * @param samplesPerS as measured; NaN before
 * @param remainingSamples NaN where nobody knows
 */
public record QueuedJob(
        String key,
        MedleyJobSpec spec,
        Map<String, Integer> reserved,
        double arrivalS,
        double samples,
        double samplesPerS,
        double remainingSamples) {
    public QueuedJob {
        reserved = Map.copyOf(reserved);
    }

    /** Of a job as its status says it is. */
    public static QueuedJob of(MedleyJob job, Map<String, Integer> reserved) {
        MedleyJobStatus status = job.getStatus();
        ProgressStatus progress = status == null ? null : status.progress();
        double rate = progress == null ? Double.NaN : number(progress.samplesPerSecond());
        Long remainingS = progress == null ? null : progress.remainingSeconds();
        Long samples = progress == null ? null : progress.samples();
        return new QueuedJob(
                job.path(),
                job.getSpec(),
                reserved,
                createdS(job.getMetadata()),
                samples == null ? 0 : samples,
                rate,
                remainingS == null ? Double.NaN : remainingS * rate);
    }

    /** In seconds of the epoch. */
    static double createdS(ObjectMeta meta) {
        return Instant.parse(meta.getCreationTimestamp()).getEpochSecond();
    }

    private static double number(@Nullable String text) {
        try {
            return text == null ? Double.NaN : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Workers that it has quota for. */
    int workers() {
        return reserved.values().stream().mapToInt(Integer::intValue).sum();
    }
}
