package dev.medley.plan.simulator.sum;

import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import java.util.function.IntConsumer;

/**
 * Sums one slice round a ring, message by message: each rank sends 2(n-1) messages of an n-th of it
 * (docs/exchange.md, "Over TCP"). A message that comes before a rank has entered waits in its
 * kernel.
 */
public final class Ring implements SliceSum {
    private final EventQueue events;
    private final Fabric fabric;
    private final IntConsumer done;
    private final int steps;
    private final double partBytes;
    private final boolean[] entered;
    private final int[] waiting;

    /** Sums so many bytes; {@code done} hears of each rank that has the sum. */
    public Ring(EventQueue events, Fabric fabric, double bytes, IntConsumer done) {
        this.events = events;
        this.fabric = fabric;
        this.done = done;
        this.steps = 2 * (fabric.size() - 1);
        this.partBytes = bytes / fabric.size();
        this.entered = new boolean[fabric.size()];
        this.waiting = new int[fabric.size()];
    }

    @Override
    public void enter(int rank) {
        entered[rank] = true;
        send(rank, 0);
        for (int step = 0; step < waiting[rank]; step++) {
            take(rank, step);
        }
    }

    private void send(int rank, int step) {
        int to = (rank + 1) % fabric.size();
        double there = fabric.delivered(rank, to, events.nowNs(), partBytes);
        events.at(there, () -> arrive(to, step));
    }

    private void arrive(int rank, int step) {
        if (entered[rank]) {
            take(rank, step);
        } else {
            waiting[rank] = step + 1;
        }
    }

    private void take(int rank, int step) {
        double core = Costs.MESSAGE_NS + partBytes * Costs.BYTE_NS;
        double taken = fabric.processor(rank).handled(events.nowNs(), core);
        events.at(taken, () -> passOn(rank, step));
    }

    private void passOn(int rank, int step) {
        if (step + 1 < steps) {
            send(rank, step + 1);
        } else {
            done.accept(rank);
        }
    }
}
