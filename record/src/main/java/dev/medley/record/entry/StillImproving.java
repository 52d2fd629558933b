package dev.medley.record.entry;

import dev.medley.base.text.Units;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Tells whether a run ended while its first metric was still improving, and what to do then. That
 * is so where the last evaluation is the best, and the last quarter of the steps brought a part of
 * the whole gain that is worth more of them.
 */
public final class StillImproving {
    private static final int LEAST_EVALUATIONS = 4;
    private static final double LAST_PART = 0.75;
    private static final double WORTH = 0.05;

    private StillImproving() {}

    /**
     * A sentence with the figures and the setting to change; empty where there is nothing to say.
     *
     * @param state of the run; only one that is done is told of
     * @param evaluations in order of steps
     * @param job the resolved job; null if unknown
     */
    public static String sentence(
            RunStatus state, List<EvaluationRecord> evaluations, @Nullable JsonNode job) {
        List<EvaluationRecord> all =
                evaluations.stream()
                        .filter(e -> e.step() > 0 && !e.metrics().isEmpty())
                        .filter(e -> !Double.isNaN(e.metrics().get(0).value()))
                        .toList();
        if (state != RunStatus.DONE || all.size() < LEAST_EVALUATIONS) {
            return "";
        }
        EvaluationRecord last = all.get(all.size() - 1);
        MetricValue end = last.metrics().get(0);
        MetricValue before = all.get(0).metrics().get(0);
        for (EvaluationRecord each : all) {
            MetricValue figure = each.metrics().get(0);
            if (each != last && !end.beats(figure)) {
                return "";
            }
            if (each.step() <= LAST_PART * last.step() && figure.beats(before)) {
                before = figure;
            }
        }
        double whole = Math.abs(end.value() - all.get(0).metrics().get(0).value());
        boolean isWorth = Math.abs(end.value() - before.value()) > WORTH * whole;
        return !isWorth || isReached(end, job)
                ? ""
                : "Still improving at the end: %s %s, %s after three quarters of it. %s"
                        .formatted(
                                end.name(),
                                Units.metric(end.value()),
                                Units.metric(before.value()),
                                remedy(last, job));
    }

    private static boolean isReached(MetricValue end, @Nullable JsonNode job) {
        JsonNode target = job == null ? null : job.at("/train/stop/target");
        return target != null
                && target.isNumber()
                && !new MetricValue(end.name(), target.asDouble(), end.better()).beats(end);
    }

    private static String remedy(EvaluationRecord last, @Nullable JsonNode job) {
        JsonNode budget = job == null ? null : job.at("/train/budget");
        long steps = budget == null ? 0 : budget.path("steps").asLong(0);
        double seconds = budget == null ? 0 : budget.path("seconds").asDouble(0);
        if (steps > 0) {
            return "Train longer: -s train.steps=" + 2 * steps;
        }
        return seconds > 0
                ? "Train longer: -s train.time=" + Math.round(2 * seconds) + "s"
                : "Train longer: -s train.epochs=" + 2 * Math.max(1, last.dataEpoch());
    }
}
