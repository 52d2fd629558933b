package dev.medley.control.forecast;

import dev.medley.base.TrialScope;
import dev.medley.control.planner.CappedPlan;
import dev.medley.control.planner.PlanSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where memory ran out in a run, by type of machine: every strategy that the run comes to begins
 * with what the ones before it had to learn.
 */
final class RanOut {
    private final List<String> inSteps = new ArrayList<>();
    private final Map<String, Integer> inTrials = new TreeMap<>();

    /** In a step, on such a machine. */
    void inStep(String machine) {
        inSteps.add(machine);
    }

    /** In a trial of so many samples at once, on such a machine. */
    void inTrial(String machine, int samples) {
        if (samples > 1) {
            inTrials.merge(machine, samples, Math::min);
        }
    }

    /** How much a worker on such a machine tries as long as no strategy is chosen. */
    TrialScope scope(String machine) {
        Integer known = inTrials.get(machine);
        return known == null ? TrialScope.FULL : TrialScope.FULL.atMost(CappedPlan.less(known));
    }

    /** What is done about a trial before a strategy is chosen, in words; null for nothing. */
    static @Nullable String remedy(int samples) {
        return samples <= 1
                ? null
                : "shares are tried in parts of at most %d samples"
                        .formatted(CappedPlan.less(samples));
    }

    /** Tells a source of trials, before it plans. */
    void tellOfTrials(PlanSource source) {
        inTrials.forEach(source::outOfMemoryTrying);
    }

    /** Machines that ran out of it in a step, in order: each cuts what the plan after it has. */
    List<String> inSteps() {
        return List.copyOf(inSteps);
    }
}
