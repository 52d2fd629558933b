package dev.medley.loop.drift;

import dev.medley.base.ConfigException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Measures how far mass has to be moved to turn one sample into the other: Wasserstein's first
 * distance, in the column's unit. The same as scipy's wasserstein_distance.
 */
public final class Wasserstein {
    private Wasserstein() {}

    /** Every number has the same weight. An empty sample is an error. */
    public static double distance(NumberSample reference, NumberSample current) {
        return distance(
                reference.notEmpty("reference").sorted(),
                cumulated(ones(reference.size())),
                current.notEmpty("current sample").sorted(),
                cumulated(ones(current.size())));
    }

    /** In standard deviations of the reference, of which 0.001 is the least that counts. */
    public static double normed(NumberSample reference, NumberSample current) {
        return distance(reference, current) / Math.max(reference.deviation(), 0.001);
    }

    /** Numbers with weights of 0 or more, whose sum is what counts as all. */
    public static double weighted(
            double[] reference,
            double[] referenceWeights,
            double[] current,
            double[] currentWeights) {
        int[] first = order(reference, referenceWeights, "reference");
        int[] second = order(current, currentWeights, "current sample");
        return distance(
                pick(reference, first),
                cumulated(pick(referenceWeights, first)),
                pick(current, second),
                cumulated(pick(currentWeights, second)));
    }

    /** The area between the two distributions. */
    private static double distance(double[] a, double[] aMass, double[] b, double[] bMass) {
        double area = 0;
        int i = 0;
        int j = 0;
        double last = 0;
        while (i < a.length || j < b.length) {
            boolean isOfA = j == b.length || (i < a.length && a[i] <= b[j]);
            double next = isOfA ? a[i] : b[j];
            if (i + j > 0) {
                double gap = aMass[i] / aMass[a.length] - bMass[j] / bMass[b.length];
                area += Math.abs(gap) * (next - last);
            }
            last = next;
            if (isOfA) {
                i++;
            } else {
                j++;
            }
        }
        return area;
    }

    private static double[] ones(int size) {
        double[] ones = new double[size];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double[] cumulated(double[] weights) {
        double[] sums = new double[weights.length + 1];
        for (int i = 0; i < weights.length; i++) {
            sums[i + 1] = sums[i] + weights[i];
        }
        return sums;
    }

    private static double[] pick(double[] from, int[] places) {
        return Arrays.stream(places).mapToDouble(place -> from[place]).toArray();
    }

    /** The places of values in their order, after a look at whether they can be used. */
    private static int[] order(double[] values, double[] weights, String whose) {
        ConfigException.check(
                values.length == weights.length,
                "the %s has %d values and %d weights: give each value one",
                whose,
                values.length,
                weights.length);
        ConfigException.check(
                Arrays.stream(values).allMatch(Double::isFinite),
                "the %s has a value that is missing or infinite: leave it out, it has no distance",
                whose);
        ConfigException.check(
                Arrays.stream(weights).allMatch(w -> w >= 0),
                "the %s has a weight below 0: weights are 0 or more",
                whose);
        double sum = Arrays.stream(weights).sum();
        ConfigException.check(
                sum > 0 && Double.isFinite(sum),
                "the weights of the %s sum to %s: some have to be above 0, all finite",
                whose,
                sum);
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
