package dev.medley.exchange.tcp;

import dev.medley.exchange.sum.Parts;

/**
 * The order in which one rank sends and receives the parts of a slice round the ring. What it sends
 * in a step is what it received in the step before.
 *
 * @param parts of the slice
 * @param place of that rank in the ring
 * @param size ranks in the ring
 */
record RingTurns(Parts parts, int place, int size) {
    /** Steps in each direction. */
    int steps() {
        return 2 * (size - 1);
    }

    /** The part that goes out in {@code step}, from 0. */
    int sentIn(int step) {
        return Math.floorMod(place - 1 - step, size);
    }

    /** The part that comes in in {@code step}. */
    int receivedIn(int step) {
        return sentIn(step + 1);
    }

    /** Whether what comes in in {@code step} is to be added; else it is a whole sum. */
    boolean addsIn(int step) {
        return step < size - 1;
    }
}
