package dev.medley.plan.strategy;

import dev.medley.base.route.SumCost;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.codec.Overlap;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.cost.SiteTraffic;
import dev.medley.plan.simulator.fabric.RoundActivity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Models data parallelism. */
final class DataParallelModel implements StrategyModel {
    @Override
    public String sentence(StrategySpec strategy, int innerBatch, int workers, String transport) {
        return Sentences.say(
                "strategy: every step all workers sum their gradients through %s, in buckets of at"
                        + " most %.1f MiB that leave while backward still runs",
                transport, strategy.bucketBytes() / (double) (1 << 20));
    }

    /** Sums hide behind backward from its first bucket on; the last one is seen. */
    @Override
    public RoundCost cost(
            StrategySpec strategy,
            ModelFacts facts,
            RoundCost.Computing computing,
            ClusterLinks links) {
        SumCost sum = RoundCost.sum(strategy, facts.parameterBytes(), links);
        SumCost last = RoundCost.sum(strategy, facts.bucketBytes(), links);
        return new RoundCost(
                Overlap.seenNs(computing.ns(), sum, last, facts),
                SiteTraffic.evenly(links.sites().sites(), sum.betweenBytes()),
                sum.insideBytes());
    }

    @Override
    public @Nullable RoundActivity activity(Scene scene) {
        return null;
    }

    @Override
    public List<StrategySpec> choices(StrategySpec settings, int sites) {
        return Choices.codecs(sites, Compress.NONE, Compress.BF16, Compress.INT8).stream()
                .map(codec -> settings.as(Kind.DATA_PARALLEL.usual(), codec))
                .toList();
    }

    @Override
    public boolean isShownCoded() {
        return true;
    }
}
