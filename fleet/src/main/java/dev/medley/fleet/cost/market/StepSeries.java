package dev.medley.fleet.cost.market;

import dev.medley.base.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A quantity that is constant between changes.
 *
 * @param fromS when it changed, strictly ascending, in seconds of the epoch
 * @param values from then on
 */
public record StepSeries(double[] fromS, double[] values) {
    public StepSeries {
        ConfigException.check(
                fromS.length > 0 && fromS.length == values.length,
                "a series has %d times and %d values; give as many, and at least one",
                fromS.length,
                values.length);
        for (int i = 1; i < fromS.length; i++) {
            ConfigException.check(
                    fromS[i - 1] < fromS[i],
                    "a series goes from second %s to %s; sort it by time",
                    fromS[i - 1],
                    fromS[i]);
        }
    }

    /** The series of changes by time; those that change nothing are left out. */
    public static StepSeries of(TreeMap<Double, Double> changes) {
        List<Map.Entry<Double, Double>> kept = new java.util.ArrayList<>();
        for (Map.Entry<Double, Double> change : changes.entrySet()) {
            if (kept.isEmpty() || !kept.get(kept.size() - 1).getValue().equals(change.getValue())) {
                kept.add(change);
            }
        }
        return new StepSeries(
                kept.stream().mapToDouble(Map.Entry::getKey).toArray(),
                kept.stream().mapToDouble(Map.Entry::getValue).toArray());
    }

    /** One value for all time from {@code fromS} on. */
    public static StepSeries constant(double fromS, double value) {
        return new StepSeries(new double[] {fromS}, new double[] {value});
    }

    /** Its value at a moment; the first one before the first change. */
    public double at(double s) {
        int low = 0;
        int high = fromS.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (fromS[middle] <= s) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return values[low];
    }

    /** Its least value. */
    public double least() {
        double least = values[0];
        for (double value : values) {
            least = Math.min(least, value);
        }
        return least;
    }
}
