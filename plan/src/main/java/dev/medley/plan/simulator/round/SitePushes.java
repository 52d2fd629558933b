package dev.medley.plan.simulator.round;

import dev.medley.base.round.Clocks;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * Simulates a parameter server at each site (docs/parameter-server.md, Servers per site). A worker
 * pushes its gradient to the servers of its site, which forward the sum of all to the home of each
 * part of the parameters, and hand on its answer. The product's own {@link Clocks} decides which
 * worker may continue, and when a site forwards, as in {@code SiteServers} and {@code ShardServer},
 * which do it to real parameters.
 *
 * <p>A server forwards when it has all that it waits for, whatever the others of its site have: so
 * each {@link ServerPanel} of servers advances by itself.
 */
public final class SitePushes implements RoundActivity {
    private final EventQueue events;
    private final Fabric fabric;
    private final Parameters parameters;
    private final AsyncSpec spec;
    private final int clocks;
    private final int innerBatch;
    private final List<PanelRound> panels;
    private final Turn[] turns;
    private final DoubleConsumer[] done;
    private final double[] computeNs;
    private final int[] unanswered;
    private int unfinished;

    /**
     * What is held and sent.
     *
     * @param bytes of all parameters
     * @param codedPart of the bytes of a forwarded gradient that crosses a border
     */
    public record Parameters(double bytes, double codedPart) {}

    /**
     * Pushes of all workers; of two sites or more.
     *
     * @param clocks of a round, batches of {@code train.batch} samples
     * @param innerBatch samples of a push
     */
    public SitePushes(
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
        panels = ServerPanel.panels(fabric.sites()).stream().map(PanelRound::new).toList();
        turns = new Turn[fabric.size()];
        done = new DoubleConsumer[fabric.size()];
        computeNs = new double[fabric.size()];
        unanswered = new int[fabric.size()];
    }

    @Override
    public void begin(List<Integer> shares) {
        List<List<Integer>> pushes =
                fabric.sites().ranks().stream()
                        .map(ranks -> ranks.stream().map(shares::get).map(this::pushes).toList())
                        .toList();
        panels.forEach(panel -> panel.begin(pushes));
        Arrays.fill(computeNs, 0);
        unfinished = panels.size() * (shares.size() + pushes.size());
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
        unanswered[rank] = panels.size();
        panels.forEach(panel -> panel.push(rank));
    }

    /** A panel has answered; a worker goes on when all have. */
    private void answered(int rank) {
        if (--unanswered[rank] == 0) {
            next(rank);
        }
    }

    /** A round ends when all have given all, and all homes have applied it. */
    private void finished() {
        if (--unfinished == 0) {
            IntStream.range(0, done.length).forEach(rank -> done[rank].accept(computeNs[rank]));
        }
    }

    /** The round of servers that go together. */
    private final class PanelRound {
        private final ServerLetters letters;
        private final List<SiteRound> sites = new ArrayList<>();
        private final List<HomeRound> homes = new ArrayList<>();

        PanelRound(ServerPanel servers) {
            letters = new ServerLetters(events, fabric, servers, parameters.bytes());
        }

        void begin(List<List<Integer>> pushes) {
            List<Integer> ofSites =
                    pushes.stream().map(all -> all.stream().mapToInt(p -> p).sum()).toList();
            sites.clear();
            homes.clear();
            for (int site = 0; site < pushes.size(); site++) {
                Clocks ofSite = new Clocks(clocks, pushes.get(site));
                sites.add(new SiteRound(new Ways(this, site), spec, ofSite, pushes.size()));
                Clocks ofHome = Clocks.ofSites(clocks, ofSites);
                homes.add(new HomeRound(new Answers(this, site), spec, ofHome, pushes.size()));
            }
        }

        void push(int rank) {
            int site = fabric.siteOf(rank);
            int mate = fabric.sites().at(site).indexOf(rank);
            letters.push(rank, () -> sites.get(site).pushed(mate));
        }

        void answer(int site, int mate) {
            int rank = fabric.sites().at(site).get(mate);
            letters.answer(rank, () -> answered(rank));
        }
    }

    /** What leaves a site's servers. */
    private final class Ways implements SiteRound.Ways {
        private final PanelRound panel;
        private final int site;

        Ways(PanelRound panel, int site) {
            this.panel = panel;
            this.site = site;
        }

        @Override
        public void forward(int home, long clock) {
            Runnable applied = () -> panel.homes.get(home).pushed(site, clock);
            panel.letters.forward(site, home, parameters.codedPart(), applied);
        }

        @Override
        public void answer(int mate) {
            panel.answer(site, mate);
        }

        @Override
        public void finished(int mate) {
            SitePushes.this.finished();
        }
    }

    /** What leaves the servers at whose site a part of the parameters is at home. */
    private final class Answers implements HomeRound.Answers {
        private final PanelRound panel;
        private final int home;

        Answers(PanelRound panel, int home) {
            this.panel = panel;
            this.home = home;
        }

        @Override
        public void answer(int site, long clock, long slowest, HomeRound.Body body) {
            Runnable there = () -> panel.sites.get(site).answered(home, clock, slowest);
            panel.letters.bring(home, site, body == HomeRound.Body.PARAMETERS, there);
        }

        @Override
        public void finished() {
            SitePushes.this.finished();
        }
    }
}
