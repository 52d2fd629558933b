package dev.medley.loop.check;

import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Predicts between which numbers of rows the next window of a series lies.
 *
 * <p>Logarithms of counts have their median as the middle and 1.4826 times the median distance from
 * it as deviation, so that a few days with an outage among them widen nothing. That estimate is
 * worth about 0.37 of as many windows, which are the degrees of freedom of Student's t. Counts
 * never spread less than chance has it: 1/sqrt(median).
 *
 * @param windows of the history; a range from fewer than five says nothing
 */
record VolumeRange(double least, double most, int windows) {
    static final int FEWEST = 5;

    private static final double NORMAL = 1.4826;
    private static final double EFFICIENCY = 0.37;

    static VolumeRange of(List<Long> earlier, double level) {
        int n = earlier.size();
        if (n < FEWEST) {
            return new VolumeRange(0, Double.POSITIVE_INFINITY, n);
        }
        double[] logs = earlier.stream().mapToDouble(count -> Math.log1p(count)).toArray();
        double middle = median(logs);
        double[] away = java.util.Arrays.stream(logs).map(l -> Math.abs(l - middle)).toArray();
        double chance = 1 / Math.sqrt(Math.max(1, Math.expm1(middle)));
        double deviation = Math.max(NORMAL * median(away), chance);
        double freedom = Math.max(2, EFFICIENCY * (n - 1));
        double quantile = new TDistribution(freedom).inverseCumulativeProbability(1 - level / 2);
        double reach = quantile * deviation * Math.sqrt(1 + 1.57 / n);
        return new VolumeRange(
                Math.max(0, Math.expm1(middle - reach)), Math.expm1(middle + reach), n);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        java.util.Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
