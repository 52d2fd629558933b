package dev.medley.control.planner;

import dev.medley.base.job.StrategySpec;

/**
 * Plans of a run that goes on with the strategy that it had chosen: each group is told of it, and
 * the record says so, since its job leaves the strategy open.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class ChosenPlan extends PlanAround {
    private final StrategySpec chosen;

    /** The plans of {@code source}, which are of the strategy {@code chosen}. */
    public ChosenPlan(PlanSource source, StrategySpec chosen) {
        super(source);
        this.chosen = chosen;
    }

    @Override
    public StrategySpec strategy() {
        return chosen;
    }
}
