package dev.medley.plan.strategy;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.round.QuorumRounds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Models local SGD. */
final class LocalSgdModel implements StrategyModel {
    private static final int STEPS = 16;

    @Override
    public String sentence(StrategySpec strategy, int innerBatch, int workers, String transport) {
        return Sentences.ofRounds(strategy, innerBatch, workers, transport);
    }

    @Override
    public RoundCost cost(
            StrategySpec strategy,
            ModelFacts facts,
            RoundCost.Computing computing,
            ClusterLinks links) {
        return RoundCost.ofChanges(strategy, facts.parameterBytes(), computing, links);
    }

    @Override
    public @Nullable RoundActivity activity(Scene scene) {
        return quorum(scene);
    }

    /** Where all are waited for nobody can be late, and there is nothing to tell. */
    static @Nullable RoundActivity quorum(Scene scene) {
        return scene.hasQuorum()
                ? new QuorumRounds(
                        scene.events(),
                        scene.fabric(),
                        scene.strategy().round().quorum(),
                        scene.shape().innerBatch(),
                        scene.owed())
                : null;
    }

    @Override
    public List<StrategySpec> choices(StrategySpec settings, int sites) {
        return List.of(Choices.every(settings, Kind.LOCAL_SGD, STEPS, Compress.NONE));
    }
}
