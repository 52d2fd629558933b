package dev.medley.control.simulator;

import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Sums over several sites by the schemes LEADERS and SHARES, which the product's own {@link Choice}
 * picks for each slice (docs/exchange.md, "Between sites"). Slices follow each other without a
 * pause.
 */
final class BetweenSitesSums implements Sums {
    private final EventQueue events;
    private final Fabric fabric;
    private final List<Slice> slices;
    private final Compress codec;
    private final Listener listener;
    private final List<Crossing> crossings = new ArrayList<>();

    BetweenSitesSums(
            EventQueue events,
            Fabric fabric,
            List<Slice> slices,
            Compress codec,
            Listener listener) {
        this.events = events;
        this.fabric = fabric;
        this.slices = slices;
        this.codec = codec;
        this.listener = listener;
    }

    @Override
    public void begin() {
        crossings.clear();
        for (int slice = 0; slice < slices.size(); slice++) {
            crossings.add(crossing(slice));
        }
    }

    private Crossing crossing(int index) {
        Slice slice = slices.get(index);
        boolean isCoded = slice.isCoded() && codec != Compress.NONE;
        LinkFigures figures = isCoded ? LinkFigures.assumed() : fabric.measured();
        Scheme scheme = scheme((long) slice.bytes(), figures);
        double codedPart = isCoded ? Costs.codedPart(codec) : 1;
        return new Crossing(
                events,
                fabric,
                new Crossing.Cargo(slice.bytes(), codedPart, scheme),
                rank -> listener.summed(rank, index));
    }

    private Scheme scheme(long bytes, LinkFigures figures) {
        EnumSet<Scheme> allowed = EnumSet.of(Scheme.LEADERS, Scheme.SHARES);
        return Choice.of(bytes, fabric.sites(), figures, allowed).scheme();
    }

    @Override
    public void handOver(int rank, int slice) {
        crossings.get(slice).enter(rank);
    }
}
