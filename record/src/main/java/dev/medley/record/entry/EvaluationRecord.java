package dev.medley.record.entry;

import dev.medley.base.evaluation.ConfusionMatrix;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation on the validation samples.
 *
 * @param step after which it was made; 0 before the first
 * @param dataEpoch passes over the training samples that were complete
 * @param samplesSeen training samples used so far
 * @param wallMillis when it ended
 * @param durationNs that training stood still for it
 * @param loss mean of what is minimised over the validation samples; NaN where it is not known
 * @param confusion null where there are no classes, or too many
 * @param metrics the first one decides about the best model and the target
 */
public record EvaluationRecord(
        long step,
        long dataEpoch,
        long samplesSeen,
        long wallMillis,
        long durationNs,
        double loss,
        @Nullable ConfusionMatrix confusion,
        List<MetricValue> metrics) {
    public EvaluationRecord {
        metrics = List.copyOf(metrics);
    }

    /** An evaluation of which the metrics alone are known. */
    public EvaluationRecord(
            long step,
            long dataEpoch,
            long samplesSeen,
            long wallMillis,
            long durationNs,
            List<MetricValue> metrics) {
        this(step, dataEpoch, samplesSeen, wallMillis, durationNs, Double.NaN, null, metrics);
    }
}
