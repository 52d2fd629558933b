package dev.medley.plan.simulator.sum;

import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteSchemes;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Sums slices over links between machines, each by the scheme that the product's own {@link Choice}
 * picks (docs/exchange.md). Slices that go by shares or leaders follow each other without a pause;
 * any other begins when all before it is done, and the next ones wait for it.
 */
public final class LinkSums implements Sums {
    /** Larger groups measure nothing while they form, as {@code Forming} has it. */
    private static final int MOST_MEASURED = 200;

    /** Largest ring that is simulated message by message. */
    private static final int MOST_RANKS_BY_MESSAGE = 16;

    private static final Set<Scheme> BETWEEN_SITES = EnumSet.of(Scheme.LEADERS, Scheme.SHARES);

    private final EventQueue events;
    private final Fabric fabric;
    private final List<Slice> slices;
    private final StrategySpec strategy;
    private final CodedParts coded;
    private final CodedParts plain;
    private final Listener listener;
    private final List<Scheme> schemes = new ArrayList<>();
    private final List<SliceSum> courses = new ArrayList<>();
    private final int[] handed;
    private final int[] next;
    private final int[] open;
    private final boolean[] isAlone;

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
    public static Sums of(
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
        this.coded = CodedParts.of(strategy, fabric.siteNames());
        this.plain = CodedParts.whole(fabric.sites().sites());
        this.listener = listener;
        this.handed = new int[fabric.size()];
        this.next = new int[fabric.size()];
        this.open = new int[fabric.size()];
        this.isAlone = new boolean[fabric.size()];
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
        while (next[rank] < handed[rank] && !isAlone[rank]) {
            boolean goesAlone = !BETWEEN_SITES.contains(schemes.get(next[rank]));
            if (goesAlone && open[rank] > 0) {
                return;
            }
            isAlone[rank] = goesAlone;
            open[rank]++;
            courses.get(next[rank]++).enter(rank);
        }
    }

    private void leave(int rank, int slice) {
        open[rank]--;
        isAlone[rank] = false;
        listener.summed(rank, slice);
        advance(rank);
    }

    private SliceSum course(int index) {
        double bytes = slices.get(index).bytes();
        IntConsumer done = rank -> leave(rank, index);
        return switch (schemes.get(index)) {
            case LEADERS, SHARES -> {
                CodedParts parts = isCoded(slices.get(index)) ? coded : plain;
                Crossing.Cargo cargo = new Crossing.Cargo(bytes, parts, schemes.get(index));
                yield new Crossing(events, fabric, cargo, done);
            }
            case DIRECT -> new ToEveryone(events, fabric, bytes, done);
            case TREE -> new Tree(events, fabric, bytes, done);
            case RING ->
                    fabric.size() <= MOST_RANKS_BY_MESSAGE
                            ? new Ring(events, fabric, bytes, done)
                            : new LongRing(events, fabric, bytes, done);
        };
    }

    private Scheme scheme(Slice slice) {
        long bytes = (long) slice.bytes();
        if (fabric.sites().sites() > 1) {
            LinkFigures figures = isCoded(slice) ? LinkFigures.assumed() : fabric.measured();
            return Choice.of(bytes, fabric.sites(), figures, BETWEEN_SITES).scheme();
        }
        boolean isMeasured = fabric.size() <= MOST_MEASURED;
        int direct = SiteSchemes.MOST_DIRECT_BYTES;
        return Choice.of(
                        bytes,
                        fabric.sites(),
                        isMeasured ? fabric.inside() : LinkFigures.assumed(),
                        isMeasured
                                ? SiteSchemes.withTree(bytes, fabric.size(), direct)
                                : SiteSchemes.of(bytes, fabric.size(), direct))
                .scheme();
    }

    private boolean isCoded(Slice slice) {
        return slice.isCoded()
                && strategy.codec().coarsest(strategy.compress()) != Compress.NONE
                && fabric.sites().sites() > 1;
    }
}
