package dev.medley.record.entry;

import dev.medley.base.NoiseSample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An applied step of the whole group. Discarded steps leave an event, not a record.
 *
 * @param step from 1
 * @param dataEpoch passes over the training samples that were complete when the step began
 * @param groupEpoch of the group that took it
 * @param planVersion that cut the batch
 * @param loss mean over the samples (or tokens) of the step, over all workers
 * @param learningRate that was applied
 * @param gradientNorm of the mean gradient before clipping; null where nobody asked for it. NaN
 *     becomes null
 * @param samples of the whole group
 * @param wallMillis when it was applied
 * @param stepNs from the end of the step before, as the slowest worker saw it
 * @param workers in order of rank
 * @param noise of the gradient; null where nobody asked for it, as in records of versions that had
 *     no such component
 */
public record StepRecord(
        long step,
        long dataEpoch,
        int groupEpoch,
        int planVersion,
        double loss,
        double learningRate,
        @Nullable Double gradientNorm,
        long samples,
        long wallMillis,
        long stepNs,
        List<WorkerTimes> workers,
        @Nullable NoiseSample noise) {
    public StepRecord {
        gradientNorm = gradientNorm == null || gradientNorm.isNaN() ? null : gradientNorm;
        workers = List.copyOf(workers);
    }

    /** A step of whose noise nobody asked. */
    public StepRecord(
            long step,
            long dataEpoch,
            int groupEpoch,
            int planVersion,
            double loss,
            double learningRate,
            @Nullable Double gradientNorm,
            long samples,
            long wallMillis,
            long stepNs,
            List<WorkerTimes> workers) {
        this(
                step,
                dataEpoch,
                groupEpoch,
                planVersion,
                loss,
                learningRate,
                gradientNorm,
                samples,
                wallMillis,
                stepNs,
                workers,
                null);
    }

    /** The gradient's norm for arithmetic: NaN where nobody asked for it. */
    public double gradientNormOrNaN() {
        return gradientNorm == null ? Double.NaN : gradientNorm;
    }

    /** Samples of this step per second of this step. */
    public double samplesPerSecond() {
        return stepNs > 0 ? samples * 1e9 / stepNs : 0;
    }

    /** Bytes that all workers sent in this step. */
    public long sentBytes() {
        return workers.stream().mapToLong(WorkerTimes::sentBytes).sum();
    }
}
