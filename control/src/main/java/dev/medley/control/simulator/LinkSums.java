package dev.medley.control.simulator;

import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Sums over links between machines, each slice by the scheme that the product's own {@link Choice}
 * picks (docs/exchange.md). Slices that go by shares or leaders follow each other without a pause;
 * a ring begins when all before it is done, and what comes behind waits for it.
 */
final class LinkSums implements Sums {
    /** Within one site longer slices go round a ring, as {@code Routing} has it. */
    private static final double MOST_POOLED_BYTES = 4 << 20;

    /** Largest ring that is simulated message by message. */
    private static final int MOST_RANKS_BY_MESSAGE = 16;

    private static final Set<Scheme> BETWEEN_SITES = EnumSet.of(Scheme.LEADERS, Scheme.SHARES);
    private static final Set<Scheme> INSIDE = EnumSet.of(Scheme.RING, Scheme.SHARES);

    private final EventQueue events;
    private final Fabric fabric;
    private final List<Slice> slices;
    private final StrategySpec strategy;
    private final Listener listener;
    private final List<Scheme> schemes = new ArrayList<>();
    private final List<Course> courses = new ArrayList<>();
    private final int[] handed;
    private final int[] next;
    private final int[] open;
    private final boolean[] isInRing;

    /** Of one machine the sum is what it has. */
    private record Alone(Listener listener) implements Sums {
        @Override
        public void begin() {}

        @Override
        public void handOver(int rank, int slice) {
            listener.summed(rank, slice);
        }
    }

    /** Sums of one machine or several. */
    static Sums of(
            EventQueue events,
            Fabric fabric,
            List<Slice> slices,
            StrategySpec strategy,
            Listener listener) {
        return fabric.size() == 1
                ? new Alone(listener)
                : new LinkSums(events, fabric, slices, strategy, listener);
    }

    /**
     * Sums {@code slices} in every step; the strategy's codec is for what crosses borders of sites.
     */
    private LinkSums(
            EventQueue events,
            Fabric fabric,
            List<Slice> slices,
            StrategySpec strategy,
            Listener listener) {
        this.events = events;
        this.fabric = fabric;
        this.slices = slices;
        this.strategy = strategy;
        this.listener = listener;
        this.handed = new int[fabric.size()];
        this.next = new int[fabric.size()];
        this.open = new int[fabric.size()];
        this.isInRing = new boolean[fabric.size()];
        slices.forEach(slice -> schemes.add(scheme(slice)));
    }

    @Override
    public void begin() {
        Arrays.fill(handed, 0);
        Arrays.fill(next, 0);
        courses.clear();
        for (int slice = 0; slice < slices.size(); slice++) {
            courses.add(course(slice));
        }
    }

    @Override
    public void handOver(int rank, int slice) {
        handed[rank]++;
        advance(rank);
    }

    private void advance(int rank) {
        while (next[rank] < handed[rank] && !isInRing[rank]) {
            boolean isRing = schemes.get(next[rank]) == Scheme.RING;
            if (isRing && open[rank] > 0) {
                return;
            }
            isInRing[rank] = isRing;
            open[rank]++;
            courses.get(next[rank]++).enter(rank);
        }
    }

    private void leave(int rank, int slice) {
        open[rank]--;
        isInRing[rank] = false;
        listener.summed(rank, slice);
        advance(rank);
    }

    private Course course(int index) {
        double bytes = slices.get(index).bytes();
        if (schemes.get(index) != Scheme.RING) {
            double part = isCoded(slices.get(index)) ? Costs.codedPart(strategy) : 1;
            Crossing.Cargo cargo = new Crossing.Cargo(bytes, part, schemes.get(index));
            return new Crossing(events, fabric, cargo, rank -> leave(rank, index));
        }
        return fabric.size() <= MOST_RANKS_BY_MESSAGE
                ? new Ring(events, fabric, bytes, rank -> leave(rank, index))
                : new LongRing(events, fabric, bytes, rank -> leave(rank, index));
    }

    private Scheme scheme(Slice slice) {
        boolean isSplit = fabric.sites().sites() > 1;
        if (!isSplit && slice.bytes() > MOST_POOLED_BYTES) {
            return Scheme.RING;
        }
        LinkFigures figures = isCoded(slice) ? LinkFigures.assumed() : fabric.measured();
        Set<Scheme> allowed = isSplit ? BETWEEN_SITES : INSIDE;
        return Choice.of((long) slice.bytes(), fabric.sites(), figures, allowed).scheme();
    }

    private boolean isCoded(Slice slice) {
        return slice.isCoded()
                && strategy.compress() != Compress.NONE
                && fabric.sites().sites() > 1;
    }
}
