package dev.medley.api.run;

import dev.medley.base.BatchSizes;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.source.ReplayPlan.Recorded;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the plans of a recorded run, in the planner's words. */
final class RecordedPlans {
    private RecordedPlans() {}

    /**
     * The strategy that a run chose last; null if its job names it, or it came to no plan. Its
     * codec is the coarsest of the last plan: where it had become finer, training had come that
     * far.
     */
    static @Nullable StrategySpec strategy(RunFolder run) {
        StrategySpec last = PlanRecord.chosen(RunRecord.read(run).plans());
        return last == null ? null : last.with(last.compress(), last.codec().at(List.of()));
    }

    /** The same of the first step, with which those begin who repeat it. */
    static @Nullable StrategySpec firstStrategy(RunFolder run) {
        return PlanRecord.inForce(RunRecord.read(run).plans()).stream()
                .map(PlanRecord::strategy)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /**
     * The sizes that the steps of a run had, beyond a checkpoint too: a machine may hold a later
     * state.
     *
     * @param saved those of the checkpoint
     * @param savedStep after which it is
     */
    static BatchSizes sizes(RunFolder run, BatchSizes saved, long savedStep) {
        BatchSizes sizes = saved;
        for (PlanRecord plan : PlanRecord.inForce(RunRecord.read(run).plans())) {
            if (plan.fromStep() > savedStep) {
                sizes = sizes.from(plan.fromStep(), plan.plan().globalBatch());
            }
        }
        return sizes;
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
