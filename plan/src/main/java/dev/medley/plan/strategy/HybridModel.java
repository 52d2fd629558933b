package dev.medley.plan.strategy;

import dev.medley.base.Seeds;
import dev.medley.base.route.SiteMap;
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
import dev.medley.plan.simulator.step.SiteSteps;
import dev.medley.plan.source.HybridPlan;
import dev.medley.plan.source.PlanSource;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Models hybrid. With T the time of a sum over all machines and P bytes of parameters, a round
 * costs
 *
 * <pre>
 * max over sites of H_s v_s, + T(P)  (e: hierarchical local SGD)
 * </pre>
 *
 * <p>A site of m machines sums in each of its H_s inner steps over its own network; v_s is what of
 * that backward does not hide ({@link Overlap}). H_s follows from the samples of its machines: in
 * proportion to their speeds, or to their number where shares are equal.
 */
final class HybridModel implements StrategyModel {
    private static final int STEPS = 64;
    private static final int SEED = 2;

    @Override
    public String sentence(StrategySpec strategy, int innerBatch, int workers, String transport) {
        return Sentences.say(
                "strategy: hybrid: the workers of a site take steps of %d samples each as one,"
                        + " with the sum of their gradients; after %d batches of all together"
                        + " all exchange the changes of the sites through %s; a step below is"
                        + " such a round",
                innerBatch, strategy.round().syncEvery(), transport);
    }

    @Override
    public RoundCost cost(
            StrategySpec strategy,
            ModelFacts facts,
            RoundCost.Computing computing,
            ClusterLinks links) {
        return sumsOfSites(facts, computing, links)
                .plus(RoundCost.ofChanges(strategy, facts.parameterBytes(), computing, links));
    }

    private static RoundCost sumsOfSites(
            ModelFacts facts, RoundCost.Computing computing, ClusterLinks links) {
        SiteMap sites = links.sites();
        double total = computing.speeds().stream().mapToDouble(speed -> speed).sum();
        double longestNs = 0;
        double inside = 0;
        for (int site = 0; site < sites.sites(); site++) {
            List<Integer> mates = sites.at(site);
            double speed = mates.stream().mapToDouble(computing.speeds()::get).sum();
            double samples = computing.batches() * facts.batch() * speed / total;
            double steps = Math.max(1, samples / ((double) facts.innerBatch() * mates.size()));
            SiteMap alone = new SiteMap(List.of(IntStream.range(0, mates.size()).boxed().toList()));
            SumCost sum = SumCost.of(facts.parameterBytes(), 1, alone, links.figures());
            SumCost last = SumCost.of(facts.bucketBytes(), 1, alone, links.figures());
            double seenNs = Overlap.seenNs(computing.ns() / steps, sum, last, facts);
            longestNs = Math.max(longestNs, steps * seenNs);
            inside += steps * sum.insideBytes();
        }
        return new RoundCost(longestNs, SiteTraffic.evenly(sites.sites(), 0), inside);
    }

    @Override
    public RoundActivity activity(Scene scene) {
        return new SiteSteps(
                scene.events(),
                scene.fabric(),
                scene.load(),
                scene.shape().innerBatch(),
                Seeds.of(scene.seed(), SEED));
    }

    @Override
    public PlanSource plans(StrategySpec strategy, PlanSource source) {
        return new HybridPlan(source);
    }

    /** Rounds between sites, where there are several. */
    @Override
    public List<StrategySpec> choices(StrategySpec settings, int sites) {
        return sites == 1
                ? List.of()
                : List.of(
                        Choices.every(settings, Kind.HYBRID, STEPS, Compress.NONE),
                        Choices.every(settings, Kind.HYBRID, STEPS, Compress.INT8));
    }

    @Override
    public boolean isShownCoded() {
        return true;
    }
}
