package dev.medley.plan.strategy;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.simulator.fabric.RoundActivity;
import org.jspecify.annotations.Nullable;

/** Models the vote of signs, which sums as data parallelism does. */
final class SignVoteModel implements StrategyModel {
    private final StrategyModel sums = new DataParallelModel();

    @Override
    public String sentence(
            StrategySpec strategy, int innerBatch, int workers, String transport) {
        return "strategy: sign-vote: every step all workers sum the signs of their gradients"
                + " through %s, and move by the sign of the sum".formatted(transport);
    }

    @Override
    public RoundCost cost(
            StrategySpec strategy,
            ModelFacts facts,
            RoundCost.Computing computing,
            ClusterLinks links) {
        return sums.cost(strategy, facts, computing, links);
    }

    @Override
    public @Nullable RoundActivity activity(Scene scene) {
        return null;
    }
}
