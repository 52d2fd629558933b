package dev.medley.plan.simulator.sum;

import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import java.util.function.IntConsumer;

/**
 * Sums one slice round a ring of many ranks, of which only the ends are simulated. All begin when
 * the last does, each connection carries 2(n-1)/n of the slice, and the chain of 2(n-1) messages
 * has the latency of each. Where no rank is disturbed that is what {@link Ring} comes to.
 */
public final class LongRing implements SliceSum {
    private final EventQueue events;
    private final Fabric fabric;
    private final IntConsumer done;
    private final double sentBytes;
    private final double chainNs;
    private int entered;
    private double lastNs;

    /** Sums so many bytes; {@code done} hears of each rank that has the sum. */
    public LongRing(EventQueue events, Fabric fabric, double bytes, IntConsumer done) {
        this.events = events;
        this.fabric = fabric;
        this.done = done;
        int hops = 2 * (fabric.size() - 1);
        this.sentBytes = hops * bytes / fabric.size();
        this.chainNs = hops * (Costs.MESSAGE_NS + fabric.latencyNs(0, 0));
    }

    @Override
    public void enter(int rank) {
        double now = events.nowNs();
        double moved = fabric.exchanged(rank, now, sentBytes, sentBytes);
        lastNs = Math.max(lastNs, Math.max(moved, now + sentBytes * Costs.BYTE_NS) + chainNs);
        if (++entered == fabric.size()) {
            events.at(lastNs, this::arrived);
        }
    }

    private void arrived() {
        for (int rank = 0; rank < fabric.size(); rank++) {
            int here = rank;
            double taken = fabric.processor(rank).handled(events.nowNs(), Costs.MESSAGE_NS);
            events.at(taken, () -> done.accept(here));
        }
    }
}
