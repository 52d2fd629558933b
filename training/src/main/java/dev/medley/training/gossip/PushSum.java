package dev.medley.training.gossip;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.training.strategy.Memory;

/**
 * Keeps one member's part of a weighted average that all approach only by letters. This is push-sum
 * (Kempe, Dobra, Gehrke, FOCS 2003), as stochastic gradient push uses it (Assran et al., ICML 2019,
 * arXiv 1811.10792).
 *
 * <p>A member holds z and a weight w, at first 1. It gives some of its weight away with a copy of
 * z, and keeps z; a member that receives (z', w') takes
 *
 * <pre>
 *     z = (w z + w' z') / (w + w'),   w = w + w'
 * </pre>
 *
 * So the sum of all w, and the sum of all w z, stay what they are, letters under way included,
 * whichever member sends when and however long a letter takes. Paper and code differ in what is
 * stored: z here is the paper's x / w.
 *
 * <p><b>A cut.</b> What that sum is at the end of a round is found while all go on (Chandy,
 * Lamport, ACM TOCS 1985). When a member ends the round it notes
 *
 * <pre>
 *     w (start - z) - sum of w' (start - z') over what came, but was sent in a later round
 * </pre>
 *
 * and adds w' (start - z') of what comes later, but was sent within the round. Letters of two
 * members come in the order in which they were sent, so when all have told that they have ended the
 * round, all notes together are the change of the average, each letter once: the sum is linear,
 * whatever became of what a letter brought.
 *
 * <p>Thread: {@link #receive} may come from another thread than the others. What it brings waits in
 * an inbox of one body until the next {@link #mix}.
 */
final class PushSum {
    private static final double LEAST_WEIGHT = 0.5;
    private static final double LEAST_LETTER = 0.25;

    private final Span values;
    private final ElementType type;
    private double weight = 1;

    // Guarded by this.
    private final Letters inbox;

    /** Of later rounds than this member's, whether they wait or are taken in. */
    private final Letters early;

    private long round;
    private Cut cut;

    /** A weighted average of letters. */
    private final class Letters {
        private final Span average;
        private double weight;

        Letters(long bytes) {
            average = Span.allocate(bytes);
        }

        void add(Span theirs, double theirWeight) {
            average(average, weight, theirs, theirWeight);
            weight += theirWeight;
        }
    }

    /** What was noted of the round before. */
    private record Cut(Span start, Span change) {}

    /** A member that holds these values, which it changes in place. */
    PushSum(Span values, ElementType type) {
        this.values = values;
        this.type = type;
        this.inbox = new Letters(values.bytes());
        this.early = new Letters(values.bytes());
        this.cut = new Cut(values, values);
    }

    /**
     * A group begins with this round: all hold the same, and nothing of an earlier group counts.
     */
    synchronized void begin(long firstRound) {
        weight = 1;
        inbox.weight = 0;
        early.weight = 0;
        round = firstRound;
        cut = new Cut(values, values);
    }

    /** This member's weight; 1/2 at least. */
    double weight() {
        return weight;
    }

    /**
     * The weight that a letter of these values may take along: half of it, but so much that 1/2
     * stays; 0 where that is too little for a letter.
     */
    double spare() {
        double spare = Math.min(weight / 2, weight - LEAST_WEIGHT);
        return spare < LEAST_LETTER ? 0 : spare;
    }

    /** Whether all values are finite numbers; reads each. */
    boolean isFinite() {
        return Double.isFinite(Memory.squaredNorm(values, type));
    }

    /** A letter of these values goes away with so much of the weight. */
    void give(double away) {
        weight -= away;
    }

    /** A letter has come that was sent within a round. */
    synchronized void receive(long ofRound, Span theirs, double theirWeight) {
        inbox.add(theirs, theirWeight);
        if (ofRound > round) {
            early.add(theirs, theirWeight);
        } else if (ofRound < round) {
            Memory.addDifference(cut.start(), theirs, theirWeight, cut.change(), type);
        }
    }

    /** Takes in what has come. */
    synchronized void mix() {
        if (inbox.weight > 0) {
            average(values, weight, inbox.average, inbox.weight);
            weight += inbox.weight;
            inbox.weight = 0;
        }
    }

    /**
     * Ends the round here and begins the next. This member's part of the change of the common
     * average since {@code start} is left in {@code change}: complete when all have told that they
     * have ended the round too. Until then neither of the two may be written.
     */
    synchronized void cut(Span start, Span change) {
        mix();
        Memory.difference(start, values, weight, change, type);
        if (early.weight > 0) {
            Memory.addDifference(start, early.average, -early.weight, change, type);
            early.weight = 0;
        }
        cut = new Cut(start, change);
        round++;
    }

    long bytes() {
        return inbox.average.bytes() + early.average.bytes();
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
