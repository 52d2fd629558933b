package dev.medley.spark.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Notes of each numeric column of all rows whether it has more than one value, and whether values
 * are missing: a sample may not show it, and a column is no constant for that.
 */
final class ColumnValues implements Serializable {
    private static final long serialVersionUID = 1L;

    /** NaN until there is one. */
    private final double[] first;

    /** Different from the first; NaN until there is one. */
    private final double[] other;

    private final boolean[] missing;
    private int unknown;

    ColumnValues(int columns) {
        first = new double[columns];
        other = new double[columns];
        missing = new boolean[columns];
        Arrays.fill(first, Double.NaN);
        Arrays.fill(other, Double.NaN);
        unknown = 2 * columns;
    }

    /** Whether nothing is left to be seen. */
    boolean areKnown() {
        return unknown == 0;
    }

    /** A row. */
    void add(double[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            add(i, numbers[i]);
        }
    }

    private void add(int column, double number) {
        if (Double.isNaN(number)) {
            unknown -= missing[column] ? 0 : 1;
            missing[column] = true;
        } else if (Double.isNaN(first[column])) {
            first[column] = number;
        } else if (Double.isNaN(other[column]) && number != first[column]) {
            other[column] = number;
            unknown--;
        }
    }

    /** With what other rows have. */
    ColumnValues with(ColumnValues more) {
        for (int i = 0; i < first.length; i++) {
            for (double number : new double[] {more.first[i], more.other[i]}) {
                if (!Double.isNaN(number)) {
                    add(i, number);
                }
            }
            if (more.missing[i]) {
                add(i, Double.NaN);
            }
        }
        return this;
    }

    /**
     * Rows, at most two, that show what a sample does not: its first one, with other values where
     * the sample has one alone, and without those of which it shows none to be missing.
     */
    List<double[]> unseen(List<double[]> sample) {
        ColumnValues seen = new ColumnValues(first.length);
        sample.forEach(seen::add);
        List<double[]> rows = new ArrayList<>();
        double[] varied = sample.get(0).clone();
        double[] lacking = sample.get(0).clone();
        boolean isVaried = false;
        boolean isLacking = false;
        for (int i = 0; i < first.length; i++) {
            if (!Double.isNaN(other[i]) && Double.isNaN(seen.other[i])) {
                varied[i] = first[i] == seen.first[i] ? other[i] : first[i];
                isVaried = true;
            }
            if (missing[i] && !seen.missing[i]) {
                lacking[i] = Double.NaN;
                isLacking = true;
            }
        }
        if (isVaried) {
            rows.add(varied);
        }
        if (isLacking) {
            rows.add(lacking);
        }
        return rows;
    }
}
