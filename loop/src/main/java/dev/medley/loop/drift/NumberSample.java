package dev.medley.loop.drift;

import dev.medley.base.ConfigException;
import java.util.Arrays;

/**
 * Holds the numbers of a sample in order. A missing value (NaN) is no number: it is counted by
 * itself, since a share of missing values is compared as a share. So is an infinite one, which has
 * no distance to others.
 */
public final class NumberSample {
    private final double[] sorted;
    private final long missing;
    private final long infinite;

    private NumberSample(double[] sorted, long missing, long infinite) {
        this.sorted = sorted;
        this.missing = missing;
        this.infinite = infinite;
    }

    /** The values of a column in any order. */
    public static NumberSample of(double... values) {
        double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
        Arrays.sort(finite);
        for (int i = 0; i < finite.length && finite[i] <= 0; i++) {
            finite[i] += 0.0; // So that -0 and 0 are one value.
        }
        long missing = Arrays.stream(values).filter(Double::isNaN).count();
        return new NumberSample(finite, missing, values.length - finite.length - missing);
    }

    /** How many finite numbers there are. */
    public int size() {
        return sorted.length;
    }

    /** How many values were missing. */
    public long missing() {
        return missing;
    }

    /** How many values were infinite. */
    public long infinite() {
        return infinite;
    }

    /** The number at a place of the order, from 0. */
    public double at(int place) {
        return sorted[place];
    }

    /** The finite numbers in ascending order. */
    public double[] sorted() {
        return sorted.clone();
    }

    /** How many different finite numbers there are. */
    public int distinct() {
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            count += i == 0 || sorted[i] != sorted[i - 1] ? 1 : 0;
        }
        return count;
    }

    /** Over the finite numbers, not an estimate of a population. */
    public double deviation() {
        double mean = Arrays.stream(sorted).sum() / sorted.length;
        double squares = 0;
        for (double value : sorted) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / sorted.length);
    }

    /** The quantile between the two numbers around it, as numpy has it by default. */
    public double quantile(double share) {
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** This, unless it has no numbers: then an error that says whose and what of. */
    NumberSample notEmpty(String whose) {
        ConfigException.check(
                sorted.length > 0,
                "the %s has no numbers (%d missing, %d infinite): there is nothing to compare; take"
                        + " a longer window or compare the shares of missing values",
                whose,
                missing,
                infinite);
        return this;
    }
}
