package dev.medley.loop.drift;

import dev.medley.base.ConfigException;
import java.util.Arrays;
import org.hipparchus.special.Gamma;

/**
 * Tests counts of categories by Pearson's chi-squared, without Yates's correction: scipy's
 * chi2_contingency(correction=False) and chisquare. A category that neither side has takes no part.
 */
public final class ChiSquared {
    private ChiSquared() {}

    /** Whether two samples of categories have one source; a place is a category. */
    public static Significance homogeneity(long[] reference, long[] current) {
        long n = total(reference, "reference");
        long m = total(current, "current sample");
        sameLength(reference.length, current.length);
        double statistic = 0;
        int categories = 0;
        for (int i = 0; i < reference.length; i++) {
            long both = reference[i] + current[i];
            if (both == 0) {
                continue;
            }
            categories++;
            double expected = (double) both * n / (n + m);
            double other = (double) both * m / (n + m);
            double away = reference[i] - expected;
            statistic += away * away / expected + away * away / other;
        }
        return of(statistic, categories - 1);
    }

    /**
     * Whether counts come of the shares of a reference that is taken as the truth. A category that
     * is not expected at all and is there makes the statistic infinite.
     */
    public static Significance goodness(long[] observed, long[] reference) {
        long m = total(observed, "current sample");
        long n = total(reference, "reference");
        sameLength(reference.length, observed.length);
        double statistic = 0;
        int categories = 0;
        for (int i = 0; i < observed.length; i++) {
            if (reference[i] == 0 && observed[i] == 0) {
                continue;
            }
            categories++;
            double expected = (double) reference[i] * m / n;
            double away = observed[i] - expected;
            statistic += away * away / expected;
        }
        return of(statistic, categories - 1);
    }

    private static Significance of(double statistic, int freedom) {
        if (freedom == 0) {
            return new Significance(0, 1);
        }
        double p =
                Double.isInfinite(statistic)
                        ? 0
                        : Gamma.regularizedGammaQ(freedom / 2.0, statistic / 2);
        return new Significance(statistic, p);
    }

    private static long total(long[] counts, String whose) {
        for (int i = 0; i < counts.length; i++) {
            ConfigException.check(
                    counts[i] >= 0,
                    "the %s has a count of %d at category %d: give counts of 0 or more",
                    whose,
                    counts[i],
                    i);
        }
        long total = Arrays.stream(counts).sum();
        ConfigException.check(
                total > 0, "the %s has no values: there is nothing to compare", whose);
        return total;
    }

    private static void sameLength(int reference, int current) {
        ConfigException.check(
                reference == current,
                "the reference has %d categories, the current sample %d: give both the same list,"
                        + " with 0 where one has none",
                reference,
                current);
    }
}
