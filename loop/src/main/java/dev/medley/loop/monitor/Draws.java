package dev.medley.loop.monitor;

import dev.medley.base.Seeds;

/**
 * Draws numbers between 0 and 1 that hang on a seed and their place alone. So a monitor that was
 * written to a file goes on as if it had not been.
 */
final class Draws {
    private final long seed;
    private long drawn;

    Draws(long seed, long drawn) {
        this.seed = seed;
        this.drawn = drawn;
    }

    /** In [0, 1), with 53 bits. */
    double next() {
        return (Seeds.of(seed, drawn++) >>> 11) * 0x1p-53;
    }

    /** Places from 0 in an order of which each is as likely (Fisher and Yates). */
    int[] permutation(int size) {
        int[] places = new int[size];
        for (int i = 0; i < size; i++) {
            int other = (int) (next() * (i + 1));
            places[i] = places[other];
            places[other] = i;
        }
        return places;
    }

    long drawn() {
        return drawn;
    }
}
