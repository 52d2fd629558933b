package dev.medley.plan.forecast;

import dev.medley.base.route.SiteMap;
import dev.medley.base.route.SumCost;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.codec.Overlap;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The cost of a round beside the time C in which its samples are computed. With H batches of a
 * round, P bytes of parameters, T the time of a sum over all machines:
 *
 * <pre>
 * waited for         T(P)
 * F fragments that   F max(0, T(P/F) - O C/H)           (e: Streaming DiLoCo; O at most H/F)
 *   travel for O batches
 * hybrid             max over sites of H_s v_s, + T(P)  (e: hierarchical local SGD)
 * parameter-server   H times {@link LetterCost}, + T(P)
 * gossip             max(0, T(P) - C), since all go on with the next round meanwhile
 * </pre>
 *
 * A site of m machines sums in each of its H_s inner steps over its own network; v_s is what of
 * that backward does not hide ({@link Overlap}). H_s follows from the samples of its machines: in
 * proportion to their speeds, or to their number where shares are equal.
 *
 * @param ns that even the busiest machine does not compute
 * @param between bytes of a round from site to site
 * @param insideBytes of a round inside sites
 */
record RoundCost(double ns, SiteTraffic between, double insideBytes) {
    /**
     * What is computed in a round.
     *
     * @param batches of {@code train.batch} samples
     * @param ns in which all together compute them
     * @param speeds of the machines, in samples a nanosecond; only their proportions count
     */
    record Computing(double batches, double ns, List<Double> speeds) {
        Computing {
            speeds = List.copyOf(speeds);
        }
    }

    static RoundCost of(
            Candidate candidate, ModelFacts facts, Computing computing, ClusterLinks links) {
        RoundCost changes = changes(candidate, facts.parameterBytes(), computing, links);
        LetterCost letters =
                LetterCost.of(
                        candidate,
                        facts.parameterBytes(),
                        computing.ns() / computing.batches(),
                        links);
        double batches = computing.batches();
        RoundCost within =
                candidate.strategy().kind() == Kind.HYBRID
                        ? sumsOfSites(facts, computing, links)
                        : new RoundCost(
                                batches * letters.ns(),
                                letters.between().times(batches),
                                batches * letters.insideBytes());
        return within.plus(changes);
    }

    private RoundCost plus(RoundCost other) {
        return new RoundCost(
                ns + other.ns, between.plus(other.between), insideBytes + other.insideBytes);
    }

    /** Of the parameters, whole or in fragments. */
    private static RoundCost changes(
            Candidate candidate, long bytes, Computing computing, ClusterLinks links) {
        StreamSpec stream = candidate.stream();
        int parts = stream.fragments();
        SumCost sum =
                SumCost.of(
                        Math.max(1, bytes / parts),
                        candidate.codedPart(),
                        links.sites(),
                        links.figures());
        double overlap =
                candidate.strategy().kind() == Kind.GOSSIP
                        ? computing.batches()
                        : Math.min(stream.overlap(), computing.batches() / parts);
        double hiddenNs = overlap * computing.ns() / computing.batches();
        return new RoundCost(
                parts * Math.max(0, sum.ns() - hiddenNs),
                SiteTraffic.evenly(links.sites().sites(), parts * sum.betweenBytes()),
                parts * sum.insideBytes());
    }

    private static RoundCost sumsOfSites(
            ModelFacts facts, Computing computing, ClusterLinks links) {
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
}
