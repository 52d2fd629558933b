package dev.medley.control.simulator;

import dev.medley.base.job.AsyncSpec;
import dev.medley.base.round.Clocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * A parameter server at each site (docs/parameter-server.md, Servers per site): a worker pushes its
 * gradient to the servers of its site, which forward the sum of all to the home of each part of the
 * parameters, and hand on what that answers. Who may go on, and when a site forwards, follows from
 * the product's own {@link Clocks}, as in {@code SiteServers} and {@code ShardServer}, which do it
 * to real parameters.
 *
 * <p>Parts are equal: of each site's servers, and at home at a site as many as it has machines. So
 * all parts with the same home go the same way at the same time, and are counted as one.
 */
final class SitePushes implements Within {
    private final EventQueue events;
    private final Fabric fabric;
    private final Parameters parameters;
    private final AsyncSpec spec;
    private final int clocks;
    private final int innerBatch;
    private final List<SiteRound> sites = new ArrayList<>();
    private final List<HomeRound> homes = new ArrayList<>();
    private final Turn[] turns;
    private final DoubleConsumer[] done;
    private final double[] computeNs;
    private int unfinished;

    /**
     * What is held and sent.
     *
     * @param bytes of all parameters
     * @param codedPart of the bytes of a forwarded gradient that crosses a border
     */
    record Parameters(double bytes, double codedPart) {}

    /**
     * Pushes of all workers; of two sites or more.
     *
     * @param clocks of a round, batches of {@code train.batch} samples
     * @param innerBatch samples of a push
     */
    SitePushes(
            EventQueue events,
            Fabric fabric,
            Parameters parameters,
            AsyncSpec spec,
            int clocks,
            int innerBatch) {
        this.events = events;
        this.fabric = fabric;
        this.parameters = parameters;
        this.spec = spec;
        this.clocks = clocks;
        this.innerBatch = innerBatch;
        turns = new Turn[fabric.size()];
        done = new DoubleConsumer[fabric.size()];
        computeNs = new double[fabric.size()];
    }

    @Override
    public void begin(List<Integer> shares) {
        List<List<Integer>> pushes =
                fabric.sites().ranks().stream()
                        .map(ranks -> ranks.stream().map(shares::get).map(this::pushes).toList())
                        .toList();
        List<Integer> ofSites =
                pushes.stream().map(all -> all.stream().mapToInt(p -> p).sum()).toList();
        sites.clear();
        homes.clear();
        for (int site = 0; site < pushes.size(); site++) {
            Clocks ofSite = new Clocks(clocks, pushes.get(site));
            sites.add(new SiteRound(new Ways(site), spec, ofSite, pushes.size()));
            Clocks ofHome = Clocks.ofSites(clocks, ofSites);
            homes.add(new HomeRound(new Answers(site), spec, ofHome, pushes.size()));
        }
        Arrays.fill(computeNs, 0);
        unfinished = shares.size() + homes.size();
    }

    /** One at least, empty where the share is. */
    private int pushes(int share) {
        return Math.max(1, (share + innerBatch - 1) / innerBatch);
    }

    @Override
    public void take(Turn turn, DoubleConsumer whenDone) {
        turns[turn.rank()] = turn;
        done[turn.rank()] = whenDone;
        next(turn.rank());
    }

    private void next(int rank) {
        Turn turn = turns[rank];
        double now = events.nowNs();
        double wallNs = turn.samples() > 0 ? turn.stepNs().getAsDouble() : 0;
        double until = fabric.processor(rank).compute(now, wallNs);
        computeNs[rank] += until - now;
        events.at(until, () -> push(rank));
    }

    private void push(int rank) {
        fabric.processor(rank).rest();
        int site = fabric.siteOf(rank);
        int mate = fabric.sites().at(site).indexOf(rank);
        moveInside(rank, () -> sites.get(site).pushed(mate));
    }

    /** All parts but its own, to the servers of its site or from them; its own it need not send. */
    private void moveInside(int rank, Runnable then) {
        int site = fabric.siteOf(rank);
        double others = fabric.sites().at(site).size() - 1.0;
        if (others == 0) {
            events.at(events.nowNs(), then);
            return;
        }
        double length = parameters.bytes() * others / (others + 1);
        double coreNs = length * Costs.BYTE_NS + others * Costs.MESSAGE_NS;
        double moved = fabric.exchanged(rank, events.nowNs(), length, length);
        events.at(
                moved + fabric.wayNs(site, site, length),
                () -> events.at(handled(rank, coreNs), then));
    }

    private double handled(int rank, double coreNs) {
        return fabric.processor(rank).handled(events.nowNs(), coreNs);
    }

    /** What is at home at one site, from another to it or back. */
    private void cross(int from, int to, double length, double codecBytes, Runnable then) {
        double coded = events.nowNs();
        for (int rank : fabric.sites().at(from)) {
            double own = codecBytes / fabric.sites().at(from).size();
            coded = Math.max(coded, handled(rank, own * Costs.CODED_BYTE_NS));
        }
        events.at(
                coded,
                () ->
                        events.at(
                                fabric.crossed(from, to, events.nowNs(), length),
                                () -> events.at(handledAt(to, length), then)));
    }

    private double handledAt(int site, double length) {
        List<Integer> ranks = fabric.sites().at(site);
        double last = events.nowNs();
        for (int rank : ranks) {
            double coreNs = length / ranks.size() * Costs.BYTE_NS + Costs.MESSAGE_NS;
            last = Math.max(last, handled(rank, coreNs));
        }
        return last;
    }

    /** In proportion to the machines of a site. */
    private double atHome(int site) {
        return parameters.bytes() * fabric.sites().at(site).size() / fabric.size();
    }

    /** A round ends when all have given all, and all homes have applied it. */
    private void finished() {
        if (--unfinished == 0) {
            IntStream.range(0, done.length).forEach(rank -> done[rank].accept(computeNs[rank]));
        }
    }

    /** What leaves a site's servers. */
    private final class Ways implements SiteRound.Ways {
        private final int site;

        Ways(int site) {
            this.site = site;
        }

        @Override
        public void forward(int home, long clock) {
            double part = atHome(home);
            Runnable there = () -> homes.get(home).pushed(site, clock);
            if (home == site) {
                events.at(events.nowNs(), there);
            } else {
                double codecBytes = parameters.codedPart() < 1 ? part : 0;
                cross(site, home, part * parameters.codedPart(), codecBytes, there);
            }
        }

        @Override
        public void answer(int mate) {
            int rank = fabric.sites().at(site).get(mate);
            moveInside(rank, () -> next(rank));
        }

        @Override
        public void finished(int mate) {
            SitePushes.this.finished();
        }
    }

    /** What leaves the servers at whose site a part of the parameters is at home. */
    private final class Answers implements HomeRound.Answers {
        private final int home;

        Answers(int home) {
            this.home = home;
        }

        @Override
        public void answer(int site, long clock, long slowest, HomeRound.Body body) {
            Runnable there = () -> sites.get(site).answered(home, clock, slowest);
            if (site == home) {
                events.at(events.nowNs(), there);
            } else {
                cross(home, site, body == HomeRound.Body.PARAMETERS ? atHome(home) : 0, 0, there);
            }
        }

        @Override
        public void finished() {
            SitePushes.this.finished();
        }
    }
}
