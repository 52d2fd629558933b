package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.post.Letter;
import dev.medley.training.strategy.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps gradients by the client that pushed them, until their clock is complete. They are added up
 * in the order of clients, so that a sum does not depend on which came first. One owner at a time.
 */
final class PushSlots {
    private final ElementType type;
    private final @Nullable Span[] slots;
    private final long[] dues;
    private final double[] weights;
    private final double[] rates;

    /**
     * What came together.
     *
     * @param weight of the samples; 0 if nothing was there, and then no gradient
     * @param rate of the first
     */
    record Sum(double weight, double rate) {
        static final Sum NONE = new Sum(0, 0);
    }

    PushSlots(int clients, ElementType type) {
        this.type = type;
        this.slots = new Span[clients];
        this.dues = new long[clients];
        this.weights = new double[clients];
        this.rates = new double[clients];
    }

    /** A copy of what came before its time, in the memory of who sent it; until it is added. */
    Span keep(int from, Span body) {
        if (body.bytes() == 0) {
            return body;
        }
        Span slot = slot(from, body.bytes());
        slot.copyFrom(body);
        return slot;
    }

    /** Adds {@code scale} times a gradient to what its sender has pushed for this clock. */
    void add(int from, Letter push, double scale, long due) {
        Span slot = slot(from, push.body().bytes());
        if (weights[from] == 0) {
            rates[from] = push.rate();
            Memory.combine(push.body(), push.body(), slot, type, (x, same) -> scale * x);
        } else {
            Memory.combine(slot, push.body(), slot, type, (x, y) -> x + scale * y);
        }
        weights[from] += push.weight();
        dues[from] = due;
    }

    /** Sums up what is due by the end of a clock, and keeps it no longer. */
    Sum take(long clock, Span into) {
        double weight = 0;
        double rate = 0;
        for (int from = 0; from < slots.length; from++) {
            Span slot = slots[from];
            if (weights[from] > 0 && dues[from] <= clock && slot != null) {
                if (weight == 0) {
                    rate = rates[from];
                    into.copyFrom(slot);
                } else {
                    Memory.combine(into, slot, into, type, Double::sum);
                }
                weight += weights[from];
                weights[from] = 0;
            }
        }
        return weight > 0 ? new Sum(weight, rate) : Sum.NONE;
    }

    private Span slot(int from, long bytes) {
        Span slot = slots[from];
        if (slot == null) {
            slot = Span.allocate(bytes);
            slots[from] = slot;
        }
        return slot;
    }
}
