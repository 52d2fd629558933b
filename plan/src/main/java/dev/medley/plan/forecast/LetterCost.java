package dev.medley.plan.forecast;

import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.codec.ClusterLinks;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The cost of letters that workers exchange point to point within a round, for each batch of all
 * workers together. With P bytes of parameters, n workers, m_s of them at site s, l or k the
 * latency to the farthest, L and K bytes per second inside and between sites, o for a message:
 *
 * <pre>
 * parameter-server   site s sends 2 m_s (n - m_s)/n P;  every worker waits
 *                    max(2(n-1)/n P/L, the most that a site sends / K) + 2 l or 2 k + 4(n-1) o
 * per site, S sites  site s sends (c (1 - F_s) + (S - 1) F_s) P, of which F_s = m_s/n is at home
 *                    there and a codec leaves c of a gradient's bytes;
 *                    R = the most that a site sends / K + 2 k + 4(S-1) o;  every worker waits
 *                    2(m-1)/m P/L + 2 l + 4(m-1) o, and R with bulk, or what R / staleness is longer
 *                    than the batch with stale. Where R is longer than a batch some go as one
 * gossip             site s sends m_s (n - m_s)/(n-1) P / mix_every;  nobody waits
 * </pre>
 *
 * Letters of a gossip are left out where those before are still under way, so a border is never
 * asked for more than it carries.
 *
 * @param ns that every worker waits
 * @param between bytes from site to site
 * @param insideBytes that go from worker to worker of one site, all sites together
 */
record LetterCost(double ns, SiteTraffic between, double insideBytes) {
    private static final double NS_PER_SECOND = 1e9;

    /**
     * The cost of a batch.
     *
     * @param bytes of the parameters
     * @param computeNs in which all together compute the batch
     */
    static LetterCost of(Candidate candidate, long bytes, double computeNs, ClusterLinks links) {
        LetterCost none = new LetterCost(0, SiteTraffic.evenly(links.sites().sites(), 0), 0);
        if (links.sites().size() == 1) {
            return none;
        }
        Kind kind = candidate.strategy().kind();
        if (kind == Kind.PARAMETER_SERVER) {
            AsyncSpec spec = candidate.strategy().async();
            return spec.servers() == Servers.PER_SITE && links.sites().sites() > 1
                    ? ofServersPerSite(candidate, bytes, computeNs, links)
                    : ofServers(bytes, links);
        }
        return kind == Kind.GOSSIP
                ? ofGossip(candidate.strategy().async(), bytes, computeNs, links)
                : none;
    }

    private static LetterCost ofServers(double bytes, ClusterLinks links) {
        SiteMap sites = links.sites();
        LinkFigures figures = links.figures();
        int n = sites.size();
        double part = 2 * bytes / n;
        SiteTraffic between =
                SiteTraffic.of(
                        sites.sites(),
                        (from, to) -> part * sites.at(from).size() * sites.at(to).size());
        double inside = 0;
        for (List<Integer> ranks : sites.ranks()) {
            inside += part * ranks.size() * (ranks.size() - 1);
        }
        boolean isFar = sites.sites() > 1;
        double latencyNs = isFar ? figures.betweenLatencyNs() : figures.insideLatencyNs();
        double movingNs =
                Math.max(
                        part * (n - 1) / figures.insideBytesPerSecond(),
                        isFar ? between.mostLeaving() / figures.betweenBytesPerSecond() : 0);
        double ns = movingNs * NS_PER_SECOND + 2 * latencyNs + 4.0 * (n - 1) * Choice.MESSAGE_NS;
        return new LetterCost(ns, between, inside);
    }

    private static LetterCost ofServersPerSite(
            Candidate candidate, double bytes, double computeNs, ClusterLinks links) {
        AsyncSpec spec = candidate.strategy().async();
        double coded = candidate.codedPart();
        SiteMap sites = links.sites();
        LinkFigures figures = links.figures();
        int count = sites.sites();
        SiteTraffic between =
                SiteTraffic.of(
                        count, (from, to) -> (home(sites, to) * coded + home(sites, from)) * bytes);
        double inside = 0;
        for (List<Integer> ranks : sites.ranks()) {
            inside += 2 * (ranks.size() - 1) * bytes;
        }
        int most = sites.mostAtOneSite();
        double insideNs =
                2.0 * (most - 1) / most * bytes / figures.insideBytesPerSecond() * NS_PER_SECOND
                        + (most > 1 ? 2.0 * figures.insideLatencyNs() : 0)
                        + 4.0 * (most - 1) * Choice.MESSAGE_NS;
        double crossingNs =
                between.mostLeaving() / figures.betweenBytesPerSecond() * NS_PER_SECOND
                        + 2.0 * figures.betweenLatencyNs()
                        + 4.0 * (count - 1) * Choice.MESSAGE_NS;
        double ns =
                switch (spec.sync()) {
                    case BULK -> insideNs + crossingNs;
                    case STALE -> {
                        double ofBatchNs = crossingNs / Math.max(1, spec.staleness());
                        yield insideNs + Math.max(0, ofBatchNs - computeNs - insideNs);
                    }
                    case ASYNC -> insideNs;
                };
        double forwards = spec.sync() == Sync.BULK ? 1 : Math.min(1, (computeNs + ns) / crossingNs);
        return new LetterCost(ns, between.times(forwards), inside);
    }

    /** The part of the parameters that is at home at a site. */
    private static double home(SiteMap sites, int site) {
        return (double) sites.at(site).size() / sites.size();
    }

    private static LetterCost ofGossip(
            AsyncSpec spec, double bytes, double computeNs, ClusterLinks links) {
        SiteMap sites = links.sites();
        int n = sites.size();
        double toEach = bytes / spec.mixEvery() / (n - 1);
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
}
