package dev.medley.plan.simulator.sum;

import dev.medley.base.route.Scheme;
import dev.medley.base.route.Strands;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.Pipe;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Sums one slice through the ranks of one site or several. The slice goes in a few stretches that
 * follow each other as the cells of the exchange do: while one crosses a border the next is added
 * up at its site.
 *
 * <ol>
 *   <li>Values go to the owners at the site: with SHARES every rank owns 1/m of the slice, with
 *       LEADERS the lowest rank owns all of it.
 *   <li>When the values of all ranks are there, the site's sum crosses to the sites that add it.
 *       With SHARES and three or more sites each adds 1/C and sends the whole sum back.
 *   <li>When all sites' sums are there, the owners spread the whole sum at their site.
 * </ol>
 */
final class Crossing implements SliceSum {
    private static final int MOST_STRETCHES = 8;
    private static final double LEAST_STRETCH_BYTES = 16 << 10;
    private static final int MANY_RANKS = 64;

    /**
     * What is summed.
     *
     * @param bytes of the slice
     * @param coded part of its bytes that crosses a border
     * @param scheme by which
     */
    record Cargo(double bytes, CodedParts coded, Scheme scheme) {}

    private final EventQueue events;
    private final Fabric fabric;
    private final Cargo cargo;
    private final IntConsumer done;
    private final int stretches;
    private final double bytes;
    private final int sites;
    private final int[] entered;
    private final int[][] sumsHere;
    private final int[][] wholesHere;
    private final int[] spread;
    private final double[][] valuesNs;

    Crossing(EventQueue events, Fabric fabric, Cargo cargo, IntConsumer done) {
        this.events = events;
        this.fabric = fabric;
        this.cargo = cargo;
        this.done = done;
        this.sites = fabric.sites().sites();
        int most = fabric.size() > MANY_RANKS ? 2 : MOST_STRETCHES;
        this.stretches = (int) Math.max(1, Math.min(most, cargo.bytes() / LEAST_STRETCH_BYTES));
        this.bytes = cargo.bytes() / stretches;
        this.entered = new int[sites];
        this.spread = new int[sites];
        this.sumsHere = new int[sites][stretches];
        this.wholesHere = new int[sites][stretches];
        this.valuesNs = new double[sites][stretches];
    }

    @Override
    public void enter(int rank) {
        int site = fabric.siteOf(rank);
        int mates = ranks(site).size() - 1;
        for (int i = 0; i < stretches; i++) {
            double moved = events.nowNs();
            if (mates > 0) {
                moved = fabric.exchanged(rank, moved, valuesOut(rank), valuesIn(rank));
                moved += fabric.latencyNs(site, site);
            }
            valuesNs[site][i] = Math.max(valuesNs[site][i], moved);
        }
        if (++entered[site] == ranks(site).size()) {
            for (int i = 0; i < stretches; i++) {
                int stretch = i;
                events.at(valuesNs[site][i], () -> valuesThere(site, stretch));
            }
        }
    }

    private double valuesOut(int rank) {
        int mates = ranks(fabric.siteOf(rank)).size() - 1;
        return isShared() ? bytes * mates / (mates + 1) : isLeader(rank) ? 0 : bytes;
    }

    private double valuesIn(int rank) {
        int mates = ranks(fabric.siteOf(rank)).size() - 1;
        return isShared() ? bytes * mates / (mates + 1) : isLeader(rank) ? mates * bytes : 0;
    }

    private void valuesThere(int site, int stretch) {
        double codec = cargo.coded().told(site) < 1 ? Costs.CODED_BYTE_NS : 0;
        double added = 0;
        for (int rank : owners(site)) {
            double core = valuesIn(rank) * Costs.BYTE_NS + owned(site) * codec + messages(site);
            added = Math.max(added, fabric.processor(rank).handled(events.nowNs(), core));
        }
        events.at(added, () -> cross(site, stretch));
    }

    /** The sum of this site goes to all who add it; this site is one of them. */
    private void cross(int site, int stretch) {
        double part = isTakenInTurns() ? 1.0 / sites : 1;
        double told = cargo.coded().told(site);
        sumThere(site, stretch);
        for (int to = 0; to < sites; to++) {
            int there = to;
            if (to != site) {
                double coded = isTakenInTurns() ? cargo.coded().of(site, to) : told;
                double arrival = crossed(site, to, part * bytes * coded, Pipe.Use.VALUES);
                events.at(arrival, () -> sumThere(there, stretch));
            }
        }
    }

    private double crossed(int from, int to, double length, Pipe.Use use) {
        int connections = connections(from, to);
        double last = fabric.between(from, to).send(events.nowNs(), length, connections, use);
        for (int rank : owners(from)) {
            double own = length / owners(from).size();
            last = Math.max(last, fabric.exchanged(rank, events.nowNs(), own, 0));
        }
        for (int rank : owners(to)) {
            double own = length / owners(to).size();
            last = Math.max(last, fabric.exchanged(rank, events.nowNs(), 0, own));
        }
        return last + fabric.wayNs(from, to, length);
    }

    /** Those of each pair of owners that have cells to carry. */
    private int connections(int from, int to) {
        int pairs = Strands.pairs(owners(from).size(), owners(to).size());
        double cells = cargo.bytes() / LEAST_STRETCH_BYTES / pairs / (sites > 2 ? sites : 1);
        int strands = Strands.ofAPair(ranks(from).size(), ranks(to).size(), sites);
        return pairs * (int) Math.max(1, Math.min(strands, cells));
    }

    private void sumThere(int site, int stretch) {
        if (++sumsHere[site][stretch] == sites) {
            double part = isTakenInTurns() ? 1.0 / sites : 1;
            double added = addedNs(site, (sites - 1) * part);
            events.at(
                    added,
                    () -> {
                        if (isTakenInTurns()) {
                            sendBack(site, stretch);
                        } else {
                            spread(site);
                        }
                    });
        }
    }

    private void sendBack(int site, int stretch) {
        double told = cargo.coded().told(site);
        wholeThere(site, stretch);
        for (int to = 0; to < sites; to++) {
            int there = to;
            if (to != site) {
                double arrival = crossed(site, to, bytes / sites * told, Pipe.Use.SUMS);
                events.at(arrival, () -> wholeThere(there, stretch));
            }
        }
    }

    private void wholeThere(int site, int stretch) {
        if (++wholesHere[site][stretch] == sites) {
            double added = addedNs(site, (sites - 1.0) / sites);
            events.at(added, () -> spread(site));
        }
    }

    private double addedNs(int site, double part) {
        double added = events.nowNs();
        for (int rank : owners(site)) {
            double core = part * owned(site) * Costs.BYTE_NS + Costs.MESSAGE_NS / stretches;
            added = Math.max(added, fabric.processor(rank).handled(events.nowNs(), core));
        }
        return added;
    }

    private void spread(int site) {
        double last = events.nowNs();
        if (ranks(site).size() > 1) {
            for (int rank : ranks(site)) {
                // What came as values goes back as sums.
                double moved =
                        fabric.exchanged(rank, events.nowNs(), valuesIn(rank), valuesOut(rank));
                last = Math.max(last, moved + fabric.latencyNs(site, site));
            }
        }
        events.at(last, () -> spreadThere(site));
    }

    private void spreadThere(int site) {
        boolean isLast = ++spread[site] == stretches;
        for (int rank : ranks(site)) {
            double core = valuesOut(rank) * Costs.BYTE_NS + messages(site);
            double there = fabric.processor(rank).handled(events.nowNs(), core);
            if (isLast) {
                events.at(there, () -> done.accept(rank));
            }
        }
    }

    private double messages(int site) {
        return (ranks(site).size() - 1) * Costs.MESSAGE_NS / stretches;
    }

    private double owned(int site) {
        return bytes / owners(site).size();
    }

    private boolean isShared() {
        return cargo.scheme() == Scheme.SHARES;
    }

    private boolean isTakenInTurns() {
        return isShared() && sites > 2;
    }

    private List<Integer> ranks(int site) {
        return fabric.sites().at(site);
    }

    private List<Integer> owners(int site) {
        return isShared() ? ranks(site) : ranks(site).subList(0, 1);
    }

    private boolean isLeader(int rank) {
        return fabric.sites().leader(fabric.siteOf(rank)) == rank;
    }
}
