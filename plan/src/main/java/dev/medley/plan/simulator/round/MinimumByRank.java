package dev.medley.plan.simulator.round;

import java.util.Arrays;
import java.util.TreeMap;

/** Keeps the least of one value for each rank; values begin at 0 and change one at a time. */
final class MinimumByRank {
    private final double[] values;
    private final TreeMap<Double, Integer> counts = new TreeMap<>();

    MinimumByRank(int size) {
        values = new double[size];
        clear();
    }

    /** All are 0 again. */
    void clear() {
        Arrays.fill(values, 0);
        counts.clear();
        counts.put(0.0, values.length);
    }

    double least() {
        return counts.firstKey();
    }

    /** Changes one; whether the least is another now. */
    boolean set(int rank, double value) {
        double before = least();
        counts.merge(values[rank], -1, (count, less) -> count + less > 0 ? count + less : null);
        counts.merge(value, 1, Integer::sum);
        values[rank] = value;
        return least() != before;
    }
}
