package dev.medley.plan.source;

import dev.medley.base.ConfigException;
import dev.medley.base.Group;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Plan;
import dev.medley.base.strategy.StrategySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the plans of a recorded run: the same shares from the same steps on, so that the numbers
 * repeat bit for bit.
 */
public final class ReplayPlan implements PlanSource {
    /**
     * A plan as it was recorded.
     *
     * @param fromStep first step that it cut
     * @param plan what it said
     * @param sites where its members stood, by rank; empty where that was not recorded
     * @param strategy that was chosen, with the codec under this plan; null where the job names
     *     both
     */
    public record Recorded(
            long fromStep, Plan plan, List<String> sites, @Nullable StrategySpec strategy) {
        public Recorded {
            sites = List.copyOf(sites);
        }

        /** A plan of a run whose job names its strategy. */
        public Recorded(long fromStep, Plan plan, List<String> sites) {
            this(fromStep, plan, sites, null);
        }
    }

    private final List<Recorded> plans;
    private @Nullable StrategySpec strategy;

    /**
     * Plans in the order in which they were made; a later one with the same first step replaces an
     * earlier one.
     */
    public ReplayPlan(List<Recorded> recorded) {
        this.plans = List.copyOf(recorded);
        if (plans.isEmpty()) {
            throw new ConfigException("the run to repeat has no recorded plan: did it ever train?");
        }
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        Recorded at = at(committedStep + 1);
        Plan recorded = at.plan();
        strategy = at.strategy();
        if (recorded.shares().size() != group.size()) {
            throw new ConfigException(
                    "step %d was trained by %d workers, but %d are here: a recorded run needs as many"
                            .formatted(committedStep + 1, recorded.shares().size(), group.size()));
        }
        return new Plan(
                version,
                recorded.shares(),
                recorded.microBatch(),
                "as recorded: " + recorded.why(),
                recorded.learningRateScale(),
                recorded.isContinued(),
                recorded.servers(),
                recorded.route() == null ? MeasuredRoute.NONE : recorded.route(),
                recorded.owners(),
                recorded.microBatches());
    }

    /** Of the group planned last, as it was chosen then. */
    @Override
    public @Nullable StrategySpec strategy() {
        return strategy;
    }

    /** The order of additions follows from the sites: they are repeated with the plan. */
    @Override
    public List<String> sites(List<String> declared, long committedStep) {
        List<String> recorded = at(committedStep + 1).sites();
        return recorded.size() == declared.size() ? recorded : declared;
    }

    @Override
    public long lastStep(long committedStep) {
        return plans.stream()
                .mapToLong(p -> p.fromStep() - 1)
                .filter(last -> last > committedStep)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public int groupSize(long committedStep, int ready) {
        return Math.min(ready, at(committedStep + 1).plan().shares().size());
    }

    private Recorded at(long step) {
        Recorded found = plans.get(0);
        for (Recorded candidate : plans) {
            if (candidate.fromStep() <= step) {
                found = candidate;
            }
        }
        return found;
    }
}
