package dev.medley.training.strategy;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;

/**
 * One member's part of a weighted average that all approach by letters alone: push-sum (Kempe,
 * Dobra, Gehrke, FOCS 2003), as stochastic gradient push uses it (Assran et al., ICML 2019, arXiv
 * 1811.10792).
 *
 * <p>A member holds z and a weight w, at first 1. It gives half of its weight away with a copy of
 * z, and keeps z; who receives (z', w') takes
 *
 * <pre>
 *     z = (w z + w' z') / (w + w'),   w = w + w'
 * </pre>
 *
 * So the sum of all w, and the sum of all w z, stay what they are, letters under way included,
 * whoever sends when and however long a letter takes. Paper and code differ in what is stored: z
 * here is the paper's x / w.
 *
 * <p>Thread: {@link #receive} may come from another thread than the others; what it brings waits in
 * an inbox of one body until the next {@link #mix} or {@link #handOver}. Which of the others comes
 * when, the callers settle.
 */
final class PushSum {
    private final Span values;
    private final Span inbox;
    private final ElementType type;
    private double weight = 1;

    // Guarded by this.
    private double inboxWeight;

    /** A member that holds these values, which it changes in place. */
    PushSum(Span values, ElementType type) {
        this.values = values;
        this.type = type;
        this.inbox = Span.allocate(values.bytes());
    }

    /** All begin with weight 1. What came already is of this round. */
    void begin() {
        weight = 1;
    }

    /** Nothing of an earlier group counts. */
    synchronized void clear() {
        inboxWeight = 0;
        weight = 1;
    }

    /** This member's weight. */
    double weight() {
        return weight;
    }

    /** A letter of these values now goes away with half of the weight; that half. */
    double give() {
        weight /= 2;
        return weight;
    }

    /** A letter has come. */
    synchronized void receive(Span theirs, double theirWeight) {
        average(inbox, inboxWeight, theirs, theirWeight);
        inboxWeight += theirWeight;
    }

    /** Takes in what has come. */
    synchronized void mix() {
        if (inboxWeight > 0) {
            average(values, weight, inbox, inboxWeight);
            weight += inboxWeight;
            inboxWeight = 0;
        }
    }

    /**
     * Leaves this member's part of the change of the common average since {@code start} in {@code
     * change}: w (start - z), what came included, which is taken in by it. The values stay what
     * they are, so they may be read meanwhile.
     */
    synchronized void handOver(Span start, Span change) {
        Memory.difference(start, values, weight, change, type);
        if (inboxWeight > 0) {
            Memory.difference(start, inbox, inboxWeight, inbox, type);
            Memory.combine(change, inbox, change, type, Double::sum);
            weight += inboxWeight;
            inboxWeight = 0;
        }
    }

    long bytes() {
        return inbox.bytes();
    }

    private void average(Span into, double weightOfInto, Span other, double weightOfOther) {
        double part = weightOfOther / (weightOfInto + weightOfOther);
        if (part == 1) {
            into.copyFrom(other);
        } else {
            Memory.combine(into, other, into, type, (x, y) -> x + part * (y - x));
        }
    }
}
