package dev.medley.plan.strategy;

import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.step.Streaming;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Models DiLoCo, streamed or not. */
final class DiLoCoModel implements StrategyModel {
    private static final int[] STEPS = {16, 32, 64, 128};

    /** Rounds whose change has a quarter of them to travel in, at once or in parts. */
    private static final List<RoundSpec> STREAMED =
            List.of(
                    streamed(32, new StreamSpec(4, 8)), // Under way all the time.
                    streamed(64, new StreamSpec(1, 16)));

    /**
     * A short round whose common step is hardly more than the mean of the changes. Some models
     * learn best so, others by the momentum of DiLoCo: the table of efficiencies knows which.
     */
    private static final RoundSpec CALM = RoundSpec.defaults(Kind.DILOCO).every(16).outer(1, 0.5);

    private static RoundSpec streamed(int steps, StreamSpec stream) {
        return RoundSpec.defaults(Kind.DILOCO).every(steps).streaming(stream);
    }

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
        RoundSpec round = scene.strategy().round();
        return round.stream().isNone()
                ? LocalSgdModel.quorum(scene)
                : new Streaming(scene.events(), scene.fabric(), scene.sums(), scene.shape(), round);
    }

    /** Changes that travel meanwhile are among them only where there is a border to cross. */
    @Override
    public List<StrategySpec> choices(StrategySpec settings, int sites) {
        List<StrategySpec> all = new ArrayList<>();
        List<Compress> coded = Choices.codecs(sites, Compress.NONE, Compress.INT8);
        for (Compress codec : coded) {
            for (int steps : STEPS) {
                all.add(Choices.every(settings, Kind.DILOCO, steps, codec));
            }
        }
        for (Compress codec : Choices.codecs(sites, Compress.NONE, Compress.INT8, Compress.INT4)) {
            all.add(Choices.in(settings, Kind.DILOCO, CALM, codec));
        }
        if (sites > 1) {
            for (Compress codec : coded) {
                STREAMED.forEach(round -> all.add(Choices.in(settings, Kind.DILOCO, round, codec)));
            }
        }
        return all;
    }

    @Override
    public boolean isShownCoded() {
        return true;
    }
}
