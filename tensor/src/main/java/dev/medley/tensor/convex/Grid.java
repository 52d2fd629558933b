package dev.medley.tensor.convex;

/**
 * Rounds terms to a grid of 2^-30, so that their sum is exact. It is so in whatever order and on
 * whichever worker they are added, while it stays below 2^23 = 8.4 million. A larger sum is as near
 * as double precision comes. Terms themselves may be as large as 2^21.
 */
final class Grid {
    /** Added to a number it leaves no bits below 2^-30 (Demmel and Nguyen 2015, pre-rounding). */
    private static final double COARSE = 1.5 * (1 << 22);

    private Grid() {}

    /** The nearest number of the grid. */
    static double round(double term) {
        return (term + COARSE) - COARSE;
    }
}
