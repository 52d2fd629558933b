package dev.medley.tensor.kmeans;

/**
 * Rounds terms to whole multiples of a power of two, so that their sum is exact. It is so in
 * whatever order and on whichever worker they are added (Demmel and Nguyen 2015, pre-rounding).
 *
 * @param coarse added to a number it leaves no bits below the unit
 */
record ExactUnit(double coarse) {
    private static final double HALVES = 1.5;

    /** Bits of a sum above the unit; a double has 53. */
    private static final int BITS = 51;

    /** The finest unit for terms of which any sum stays within {@code bound}. */
    static ExactUnit forSumsWithin(double bound) {
        int exponent = Math.getExponent(Math.max(bound, Double.MIN_NORMAL)) + 1;
        return new ExactUnit(Math.scalb(HALVES, Math.max(exponent, -900) + 52 - BITS));
    }

    /** The nearest multiple. */
    double round(double term) {
        return (term + coarse) - coarse;
    }
}
