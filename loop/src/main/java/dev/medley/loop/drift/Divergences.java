package dev.medley.loop.drift;

import dev.medley.base.ConfigException;
import java.util.Arrays;

/**
 * Measures how unlike two distributions over the same categories or bins are. Both are given as
 * counts or shares and are made to sum to 1.
 */
public final class Divergences {
    /** A bin without rows is taken as this share, unless another's is as small. */
    private static final double LEAST = 1e-4;

    private Divergences() {}

    /**
     * Jensen and Shannon's distance: the root of the divergence, between 0 and 1 for base 2, and up
     * to {@code sqrt(ln 2)} for base e. scipy's scipy.spatial.distance.jensenshannon.
     */
    public static double jensenShannon(double[] reference, double[] current, double base) {
        ConfigException.check(
                base > 1 && Double.isFinite(base), "base %s: give one above 1, as 2 or e", base);
        double[] p = shares(reference, "reference");
        double[] q = shares(current, "current sample");
        sameLength(p, q);
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            double middle = (p[i] + q[i]) / 2;
            sum += entropy(p[i], middle) + entropy(q[i], middle);
        }
        return Math.sqrt(Math.max(0, sum / Math.log(base)) / 2);
    }

    /**
     * The population stability index. An empty bin, of which the logarithm would be infinite, has
     * the share 0.0001; where some bin's share is as small, a millionth of the smallest:
     * Evidently's rule. It hangs on the bins; see {@link Bins}.
     */
    public static double stabilityIndex(double[] reference, double[] current) {
        double[] p = filled(shares(reference, "reference"));
        double[] q = filled(shares(current, "current sample"));
        sameLength(p, q);
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += (p[i] - q[i]) * Math.log(p[i] / q[i]);
        }
        return sum;
    }

    private static double entropy(double p, double middle) {
        return p == 0 ? 0 : p * Math.log(p / middle);
    }

    private static double[] filled(double[] shares) {
        double least = Arrays.stream(shares).filter(s -> s > 0).min().orElseThrow();
        double instead = least <= LEAST ? least / 1e6 : LEAST;
        return Arrays.stream(shares).map(s -> s == 0 ? instead : s).toArray();
    }

    private static double[] shares(double[] counts, String whose) {
        ConfigException.check(
                Arrays.stream(counts).allMatch(c -> c >= 0 && Double.isFinite(c)),
                "the %s has a count that is below 0, infinite or missing: give counts or shares",
                whose);
        double sum = Arrays.stream(counts).sum();
        ConfigException.check(sum > 0, "the %s has no values: there is nothing to compare", whose);
        return Arrays.stream(counts).map(c -> c / sum).toArray();
    }

    private static void sameLength(double[] p, double[] q) {
        ConfigException.check(
                p.length == q.length,
                "the reference has %d bins, the current sample %d: count both by the same bins",
                p.length,
                q.length);
    }
}
