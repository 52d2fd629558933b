package dev.medley.plan.cost;

import dev.medley.base.route.SumCost;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.Coarseness;
import java.util.List;

/**
 * The cost of a round beside the time C in which its samples are computed. With H batches of a
 * round, P bytes of parameters, T the time of a sum over all machines:
 *
 * <pre>
 * waited for         T(P)
 * F fragments that   F max(0, T(P/F) - O C/H)           (e: Streaming DiLoCo; O at most H/F)
 *   travel for O batches
 * </pre>
 *
 * <p>What an algorithm does within a round comes on top; its model says it.
 *
 * @param ns that even the busiest machine does not compute
 * @param between bytes of a round from site to site
 * @param insideBytes of a round inside sites
 */
public record RoundCost(double ns, SiteTraffic between, double insideBytes) {
    /**
     * What is computed in a round.
     *
     * @param batches of {@code train.batch} samples
     * @param ns in which all together compute them
     * @param speeds of the machines, in samples a nanosecond; only their proportions count
     */
    public record Computing(double batches, double ns, List<Double> speeds) {
        public Computing {
            speeds = List.copyOf(speeds);
        }

        /** In which all together compute a batch. */
        public double batchNs() {
            return ns / batches;
        }
    }

    /** Both together. */
    public RoundCost plus(RoundCost other) {
        return new RoundCost(
                ns + other.ns, between.plus(other.between), insideBytes + other.insideBytes);
    }

    /** Of the changes of all parameters, whole or in fragments, at the end of a round. */
    public static RoundCost ofChanges(
            StrategySpec strategy, long bytes, Computing computing, ClusterLinks links) {
        StreamSpec stream = strategy.round().stream();
        double overlap = Math.min(stream.overlap(), computing.batches() / stream.fragments());
        return ofChanges(strategy, bytes, computing, links, overlap);
    }

    /** The same where all go on for so many batches while they travel. */
    public static RoundCost ofChanges(
            StrategySpec strategy,
            long bytes,
            Computing computing,
            ClusterLinks links,
            double overlapBatches) {
        int parts = strategy.round().stream().fragments();
        SumCost sum = sum(strategy, Math.max(1, bytes / parts), links);
        double hiddenNs = overlapBatches * computing.ns() / computing.batches();
        return new RoundCost(
                parts * Math.max(0, sum.ns() - hiddenNs),
                SiteTraffic.evenly(links.sites().sites(), parts * sum.betweenBytes()),
                parts * sum.insideBytes());
    }

    /** Of a sum over all machines, through the strategy's codec. */
    public static SumCost sum(StrategySpec strategy, long bytes, ClusterLinks links) {
        return SumCost.of(bytes, Coarseness.partOf(strategy), links.sites(), links.figures());
    }
}
