package dev.medley.base.evaluation;

import java.util.Arrays;

/**
 * Computes the normalised discounted cumulative gain of a ranking (Järvelin and Kekäläinen 2002). A
 * row of grade g at place p, from 1, adds (2^g - 1) / log2(p + 1), and the sum is divided by that
 * of the best order. Rows of equal scores share their places (McSherry and Najork 2008), so the
 * order in the file means nothing. Where no row has a grade above 0 all orders are the best: 1.
 */
public final class Ndcg {
    /** Grades above it would gain more than anybody counts. */
    public static final int HIGHEST_GRADE = 31;

    private Ndcg() {}

    /**
     * Of one group.
     *
     * @param scores of its rows, the highest first in the ranking
     * @param grades of the same rows, from 0 to {@link #HIGHEST_GRADE}
     * @param top places that count; 0 for all
     * @return from 0 to 1
     */
    public static double of(float[] scores, float[] grades, int top) {
        int places = top > 0 ? Math.min(top, scores.length) : scores.length;
        double best = gained(grades, grades, places);
        return best > 0 ? gained(scores, grades, places) / best : 1;
    }

    private static double gained(float[] by, float[] grades, int places) {
        long[] order = ranked(by);
        double sum = 0;
        for (int first = 0; first < places; ) {
            int end = first;
            double gains = 0;
            double discounts = 0;
            float score = by[(int) order[first]];
            while (end < order.length && by[(int) order[end]] == score) {
                gains += Math.scalb(1.0, (int) grades[(int) order[end]]) - 1;
                discounts += end < places ? Math.log(2) / Math.log(end + 2.0) : 0;
                end++;
            }
            sum += gains / (end - first) * discounts;
            first = end;
        }
        return sum;
    }

    /** In the low halves the rows, the highest score first: bits of floats are ordered as these. */
    private static long[] ranked(float[] by) {
        long[] order = new long[by.length];
        for (int row = 0; row < by.length; row++) {
            int bits = Float.floatToIntBits(0f - by[row]);
            long rising = bits ^ ((bits >> (Integer.SIZE - 1)) & Integer.MAX_VALUE);
            order[row] = (rising << Integer.SIZE) | row;
        }
        Arrays.sort(order);
        return order;
    }
}
