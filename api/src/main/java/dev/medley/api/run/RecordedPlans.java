package dev.medley.api.run;

import dev.medley.base.job.StrategySpec;
import dev.medley.control.planner.ReplayPlan.Recorded;
import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plans of a recorded run, in the planner's words. */
final class RecordedPlans {
    private RecordedPlans() {}

    /** The strategy that a run chose; null if its job names it, or it came to no plan. */
    static @Nullable StrategySpec strategy(RunFolder run) {
        return PlanRecord.chosen(RunRecord.read(run).plans());
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
