package dev.medley.profile.record;

import java.util.List;

/**
 * One evaluation on the validation samples.
 *
 * @param step after which it was made; 0 before the first
 * @param dataEpoch passes over the training samples that were complete
 * @param samplesSeen training samples used so far
 * @param wallMillis when it ended
 * @param durationNs that training stood still for it
 * @param metrics the first one decides about the best model and the target
 */
public record EvaluationRecord(
        long step,
        long dataEpoch,
        long samplesSeen,
        long wallMillis,
        long durationNs,
        List<MetricValue> metrics) {
    public EvaluationRecord {
        metrics = List.copyOf(metrics);
    }
}
