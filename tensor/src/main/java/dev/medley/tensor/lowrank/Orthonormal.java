package dev.medley.tensor.lowrank;

import java.util.random.RandomGenerator;

/**
 * Makes columns orthonormal by Gram-Schmidt in plain Java: the same columns become the same bits on
 * every machine. Each column is projected twice, which leaves it orthogonal up to rounding however
 * near it was to the others (Giraud, Langou, Rozloznik 2005).
 */
final class Orthonormal {
    /** What is left of a column below this part of it is rounding of float32. */
    private static final double LEAST_REST = 1e-6;

    private Orthonormal() {}

    /**
     * Makes columns orthonormal in place. One that follows from those before it, is zero or not
     * finite, gives way to one that is drawn: so a direction in which there was nothing once is not
     * lost for good.
     *
     * @param columns no more than each of them is long
     */
    static void make(double[][] columns, RandomGenerator random) {
        for (int k = 0; k < columns.length; k++) {
            while (!reduce(columns, k)) {
                draw(columns[k], random);
            }
        }
    }

    /** Fills a column with numbers of [-1, 1), drawn alike everywhere. */
    static void draw(double[] column, RandomGenerator random) {
        for (int i = 0; i < column.length; i++) {
            column[i] = 2 * random.nextDouble() - 1;
        }
    }

    private static boolean reduce(double[][] columns, int k) {
        double[] column = columns[k];
        double before = length(column);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < k; j++) {
                addMultiple(column, columns[j], -product(column, columns[j]));
            }
        }
        double after = length(column);
        // False also where one of them is not a number.
        boolean isNew = after > LEAST_REST * before && after < Double.POSITIVE_INFINITY;
        if (isNew) {
            for (int i = 0; i < column.length; i++) {
                column[i] /= after;
            }
        }
        return isNew;
    }

    private static double length(double[] column) {
        return Math.sqrt(product(column, column));
    }

    private static double product(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static void addMultiple(double[] column, double[] other, double factor) {
        for (int i = 0; i < column.length; i++) {
            column[i] += factor * other[i];
        }
    }
}
