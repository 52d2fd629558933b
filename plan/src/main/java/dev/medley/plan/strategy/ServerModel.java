package dev.medley.plan.strategy;

import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.text.Words;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.Coarseness;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.cost.LetterCost;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.cost.SiteTraffic;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.round.ServerPushes;
import dev.medley.plan.simulator.round.SitePushes;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.ServerPlan;
import java.util.List;

/**
 * Models a parameter server. With P bytes of parameters, n workers, m_s of them at site s, l or k
 * the latency to the farthest, L and K bytes per second inside and between sites, o for a message,
 * each batch of all workers together costs
 *
 * <pre>
 * all servers        site s sends 2 m_s (n - m_s)/n P;  every worker waits
 *                    max(2(n-1)/n P/L, the most that a site sends / K) + 2 l or 2 k + 4(n-1) o
 * per site, S sites  site s sends (c (1 - F_s) + (S - 1) F_s) P, of which F_s = m_s/n is at home
 *                    there and a codec leaves c of a gradient's bytes;
 *                    R = the most that a site sends / K + 2 k + 4(S-1) o;  every worker waits
 *                    2(m-1)/m P/L + 2 l + 4(m-1) o, and R with bulk, or what R / staleness is longer
 *                    than the batch with stale. Where R is longer than a batch some go as one
 * </pre>
 */
final class ServerModel implements StrategyModel {
    private static final double NS_PER_SECOND = 1e9;

    @Override
    public String sentence(StrategySpec strategy, int innerBatch, int workers, String transport) {
        return Sentences.say(
                "strategy: parameter-server: each worker pushes the gradient of %d samples and"
                        + " goes on with the parameters that %s, as servers of a part each, send"
                        + " back over TCP, %s; after %d batches of all together they exchange the"
                        + " servers' changes through %s; a step below is such a round",
                innerBatch,
                strategy.async().servers() == Servers.PER_SITE
                        ? "the workers of its site, which forward what they merged to other sites"
                        : "all workers",
                waiting(strategy.async()),
                strategy.round().syncEvery(),
                transport);
    }

    private static String waiting(AsyncSpec async) {
        return switch (async.sync()) {
            case BULK -> "waiting for all others after each";
            case STALE ->
                    Sentences.say(
                            "at most %d batches of all together ahead of the slowest",
                            async.staleness());
            case ASYNC -> "waiting for no other worker";
        };
    }

    @Override
    public String manner(StrategySpec strategy) {
        AsyncSpec async = strategy.async();
        String servers = async.servers() == Servers.PER_SITE ? ", servers per site" : "";
        return async.sync() == Sync.STALE
                ? ", %d clocks stale%s".formatted(async.staleness(), servers)
                : ", " + Words.of(async.sync()) + servers;
    }

    @Override
    public String briefly(StrategySpec strategy) {
        AsyncSpec async = strategy.async();
        String bound = async.sync() == Sync.STALE ? " " + async.staleness() : "";
        String servers = async.servers() == Servers.ALL ? "" : " per site";
        return " " + Words.of(async.sync()) + bound + servers;
    }

    @Override
    public RoundCost cost(
            StrategySpec strategy,
            ModelFacts facts,
            RoundCost.Computing computing,
            ClusterLinks links) {
        return letters(strategy, facts.parameterBytes(), computing.batchNs(), links)
                .inRound(computing.batches())
                .plus(RoundCost.ofChanges(strategy, facts.parameterBytes(), computing, links));
    }

    private static LetterCost letters(
            StrategySpec strategy, double bytes, double computeNs, ClusterLinks links) {
        if (links.sites().size() == 1) {
            return LetterCost.none(1);
        }
        return strategy.async().servers() == Servers.PER_SITE && links.sites().sites() > 1
                ? ofServersPerSite(strategy, bytes, computeNs, links)
                : ofServers(bytes, links);
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
            StrategySpec strategy, double bytes, double computeNs, ClusterLinks links) {
        AsyncSpec spec = strategy.async();
        double coded = Coarseness.partOf(strategy);
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

    /** Of one site servers per site are those for all. */
    @Override
    public RoundActivity activity(Scene scene) {
        StrategySpec strategy = scene.strategy();
        AsyncSpec spec = strategy.async();
        Fabric fabric = scene.fabric();
        double bytes = scene.load().gradientBytes();
        int clocks = strategy.round().syncEvery();
        if (spec.servers() == Servers.ALL || fabric.sites().sites() == 1) {
            return new ServerPushes(scene.events(), fabric, bytes, spec, clocks);
        }
        return new SitePushes(
                scene.events(),
                fabric,
                new SitePushes.Parameters(
                        bytes, Costs.codedPart(strategy.compress(), strategy.codec())),
                spec,
                clocks,
                scene.shape().innerBatch());
    }

    @Override
    public PlanSource plans(StrategySpec strategy, PlanSource source) {
        return new ServerPlan(source, strategy.async().servers());
    }

    /** Runs do not repeat where letters are not waited for, so nobody but the user takes them. */
    @Override
    public List<StrategySpec> shown(StrategySpec settings, int sites) {
        int steps = Kind.PARAMETER_SERVER.usual().round().syncEvery();
        StrategySpec usual = Choices.every(settings, Kind.PARAMETER_SERVER, steps, Compress.NONE);
        return sites == 1
                ? List.of(usual)
                : List.of(usual, usual.with(usual.async().with(Servers.PER_SITE)));
    }
}
