package dev.medley.plan.strategy;

import dev.medley.base.Seeds;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.cost.LetterCost;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.cost.SiteTraffic;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.round.GossipLetters;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Models gossip. With P bytes of parameters, n workers, m_s of them at site s, T the time of a sum
 * over all machines and C that of a round's computing,
 *
 * <pre>
 * a batch   site s sends m_s (n - m_s)/(n-1) P / mix_every;  nobody waits
 * a round   max(0, T(P) - C), since all go on with the next round meanwhile
 * </pre>
 *
 * <p>Letters are left out where those before are still under way, so a border is never asked for
 * more than it carries.
 */
final class GossipModel implements StrategyModel {
    private static final double NS_PER_SECOND = 1e9;
    private static final int SEED = 3;

    @Override
    public String sentence(StrategySpec strategy, int innerBatch, int workers, String transport) {
        return Sentences.say(
                "strategy: gossip: each worker takes steps of %d samples by itself and sends"
                        + " its parameters to a neighbour over TCP after every %d of them,"
                        + " waiting for nobody; the exact average after %d batches of all"
                        + " together, a step below, is made through %s while they go on",
                innerBatch, strategy.async().mixEvery(), strategy.round().syncEvery(), transport);
    }

    @Override
    public String manner(StrategySpec strategy) {
        int every = strategy.async().mixEvery();
        return every == 1 ? " after each batch" : " after every %d batches".formatted(every);
    }

    @Override
    public String briefly(StrategySpec strategy) {
        int every = strategy.async().mixEvery();
        return every == 1 ? "" : " mix " + every;
    }

    @Override
    public RoundCost cost(
            StrategySpec strategy,
            ModelFacts facts,
            RoundCost.Computing computing,
            ClusterLinks links) {
        long bytes = facts.parameterBytes();
        return letters(strategy.async().mixEvery(), bytes, computing.batchNs(), links)
                .inRound(computing.batches())
                .plus(RoundCost.ofChanges(strategy, bytes, computing, links, computing.batches()));
    }

    private static LetterCost letters(
            int mixEvery, double bytes, double computeNs, ClusterLinks links) {
        SiteMap sites = links.sites();
        int n = sites.size();
        if (n == 1) {
            return LetterCost.none(1);
        }
        double toEach = bytes / mixEvery / (n - 1);
        double carried = links.figures().betweenBytesPerSecond() * computeNs / NS_PER_SECOND;
        SiteTraffic between =
                SiteTraffic.of(
                        sites.sites(),
                        (from, to) -> {
                            int here = sites.at(from).size();
                            double leaving = toEach * here * (n - here);
                            return Math.min(carried, leaving) * sites.at(to).size() / (n - here);
                        });
        double inside =
                IntStream.range(0, sites.sites())
                        .map(site -> sites.at(site).size())
                        .mapToDouble(here -> toEach * here * (here - 1))
                        .sum();
        return new LetterCost(0, between, inside);
    }

    @Override
    public RoundActivity activity(Scene scene) {
        return new GossipLetters(
                scene.events(),
                scene.fabric(),
                scene.load().gradientBytes(),
                scene.strategy().async().mixEvery(),
                scene.shape().slices().size(),
                Seeds.of(scene.seed(), SEED));
    }

    /** Its members are dealt anew in each round. */
    @Override
    public boolean isEven(Scene scene) {
        return false;
    }

    @Override
    public List<StrategySpec> shown(StrategySpec settings, int sites) {
        int steps = Kind.GOSSIP.usual().round().syncEvery();
        return List.of(Choices.every(settings, Kind.GOSSIP, steps, Compress.NONE));
    }
}
