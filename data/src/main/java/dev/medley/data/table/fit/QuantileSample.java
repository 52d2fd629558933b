package dev.medley.data.table.fit;

import dev.medley.base.Seeds;
import java.util.Arrays;

/**
 * Samples the values of a column for its quantiles. They are exact up to a limit of values, else of
 * at least half as many that are drawn evenly. Which are drawn follows only from their number in
 * the column, so that the same rows give the same bits wherever they are read. It holds a double
 * and a long for each kept value.
 */
final class QuantileSample {
    private static final int FIRST = 1024;

    private final int limit;
    private double[] values = new double[0];
    private long[] marks = new long[0];
    private int kept;
    private long count;

    /** Values whose mark has a 1 among these bits are left out. */
    private long out;

    /** Keeps up to {@code limit} values. */
    QuantileSample(int limit) {
        this.limit = limit;
    }

    /** Adds the rows for which {@code isTrain} holds. NaN is a missing value. */
    void add(double[] column, boolean[] isTrain, int rows) {
        for (int i = 0; i < rows; i++) {
            if (isTrain[i] && !Double.isNaN(column[i])) {
                add(column[i]);
            }
        }
    }

    private void add(double value) {
        long mark = Seeds.mix(count++);
        if ((mark & out) != 0) {
            return;
        }
        if (kept == limit) {
            halve();
            if ((mark & out) != 0) {
                return;
            }
        }
        if (kept == values.length) {
            int room = (int) Math.min(limit, Math.max(FIRST, 2L * kept));
            values = Arrays.copyOf(values, room);
            marks = Arrays.copyOf(marks, room);
        }
        values[kept] = value;
        marks[kept++] = mark;
    }

    private void halve() {
        while (kept == limit) {
            out = (out << 1) | 1;
            int left = 0;
            for (int i = 0; i < kept; i++) {
                if ((marks[i] & out) == 0) {
                    values[left] = values[i];
                    marks[left++] = marks[i];
                }
            }
            kept = left;
        }
    }

    /** The kept values in order. */
    double[] sorted() {
        double[] all = Arrays.copyOf(values, kept);
        Arrays.sort(all);
        return all;
    }

    /** Whether not all values were kept. */
    boolean isEstimate() {
        return kept < count;
    }
}
