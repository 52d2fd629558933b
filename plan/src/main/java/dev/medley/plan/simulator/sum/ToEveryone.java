package dev.medley.plan.simulator.sum;

import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import java.util.function.IntConsumer;

/** Sums one slice from every rank to every other: all are through when the last has all. */
public final class ToEveryone implements SliceSum {
    private final EventQueue events;
    private final Fabric fabric;
    private final double bytes;
    private final IntConsumer done;
    private int entered;
    private double thereNs;

    /** Sums so many bytes; {@code done} hears of each rank that has the sum. */
    public ToEveryone(EventQueue events, Fabric fabric, double bytes, IntConsumer done) {
        this.events = events;
        this.fabric = fabric;
        this.bytes = bytes * (fabric.size() - 1);
        this.done = done;
    }

    @Override
    public void enter(int rank) {
        int site = fabric.siteOf(rank);
        double moved = fabric.exchanged(rank, events.nowNs(), bytes, bytes);
        thereNs = Math.max(thereNs, moved + fabric.latencyNs(site, site));
        if (++entered == fabric.size()) {
            events.at(thereNs, this::add);
        }
    }

    private void add() {
        double core = (fabric.size() - 1) * Costs.MESSAGE_NS + bytes * Costs.BYTE_NS;
        for (int rank = 0; rank < fabric.size(); rank++) {
            int who = rank;
            double added = fabric.processor(rank).handled(events.nowNs(), core);
            events.at(added, () -> done.accept(who));
        }
    }
}
