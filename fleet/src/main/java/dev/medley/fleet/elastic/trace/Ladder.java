package dev.medley.fleet.elastic.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Holds values at rising whole numbers, and finds the two around a number. */
final class Ladder<V> {
    private final int[] steps;
    private final List<V> values;

    /**
     * Holds the values around a number.
     *
     * @param share of the lower one in a linear interpolation
     */
    record Between<V>(V low, V high, double share) {}

    Ladder(SortedMap<Integer, V> values) {
        steps = values.keySet().stream().mapToInt(Integer::intValue).toArray();
        this.values = new ArrayList<>(values.values());
    }

    int least() {
        return steps[0];
    }

    int most() {
        return steps[steps.length - 1];
    }

    List<V> values() {
        return values;
    }

    /**
     * The values around a number.
     *
     * @throws IllegalArgumentException beyond the least or the most
     */
    Between<V> around(int number) {
        if (number < least() || number > most()) {
            throw new IllegalArgumentException(
                    "%d was not measured, only %d to %d".formatted(number, least(), most()));
        }
        int high = 0;
        while (steps[high] < number) {
            high++;
        }
        int low = steps[high] == number ? high : high - 1;
        double share =
                low == high ? 1 : (double) (steps[high] - number) / (steps[high] - steps[low]);
        return new Between<>(values.get(low), values.get(high), share);
    }
}
