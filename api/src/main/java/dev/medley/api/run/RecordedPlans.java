package dev.medley.api.run;

import dev.medley.base.job.StrategySpec;
import dev.medley.control.planner.ReplayPlan.Recorded;
import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The plans of a recorded run, in the planner's words. */
final class RecordedPlans {
    private RecordedPlans() {}

    /**
     * The strategy that a run chose last; null if its job names it, or it came to no plan. Its
     * codec is the coarsest that it had: those that were finer were so for a time, or at some
     * borders.
     */
    static @Nullable StrategySpec strategy(RunFolder run) {
        List<PlanRecord> plans = RunRecord.read(run).plans();
        StrategySpec last = PlanRecord.chosen(plans);
        return last == null
                ? null
                : plans.stream()
                        .map(PlanRecord::strategy)
                        .filter(Objects::nonNull)
                        .map(each -> each.with(each.compress(), last.codec().at(List.of())))
                        .filter(each -> each.with(last.compress(), last.codec()).equals(last))
                        .max(Comparator.comparing(StrategySpec::compress))
                        .orElse(last);
    }

    /** The same of the first step, with which those begin who repeat it. */
    static @Nullable StrategySpec firstStrategy(RunFolder run) {
        return PlanRecord.inForce(RunRecord.read(run).plans()).stream()
                .map(PlanRecord::strategy)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    static List<Recorded> of(RunFolder run) {
        return PlanRecord.inForce(RunRecord.read(run).plans()).stream()
                .map(
                        record ->
                                new Recorded(
                                        record.fromStep(),
                                        record.plan(),
                                        record.sites(),
                                        record.strategy()))
                .toList();
    }
}
