package dev.medley.trees;

import org.jspecify.annotations.Nullable;

/**
 * Holds what is to be learnt of rows.
 *
 * @param targets numbers, or classes by number
 * @param weights what each row counts; null where all count one
 * @param groups rows of each group that is ranked, in order; empty where none are
 */
@SuppressWarnings("ArrayRecordComponent") // Large, and nobody compares them.
record RowTargets(float[] targets, float @Nullable [] weights, int[] groups) {
    int rows() {
        return targets.length;
    }

    /** What a row counts. */
    float weight(int row) {
        return weights == null ? 1 : weights[row];
    }

    /** What all rows count. */
    double weight() {
        double sum = 0;
        for (int row = 0; row < targets.length; row++) {
            sum += weight(row);
        }
        return sum;
    }
}
