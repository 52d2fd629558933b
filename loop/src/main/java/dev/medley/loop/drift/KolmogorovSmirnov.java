package dev.medley.loop.drift;

import org.hipparchus.util.ArithmeticUtils;

/**
 * Tests whether two samples of numbers have one source, by the largest distance between their
 * empirical distributions (Smirnov 1939). Values and rules are those of scipy's ks_2samp,
 * two-sided.
 *
 * <p>The exact probability counts paths on a lattice of n x m steps that leave the band around the
 * diagonal (Hodges 1958); it costs n times the width of the band. The asymptotic one is
 * Kolmogorov's for the rounded number n m / (n + m). Ties make both too large, never too small.
 */
public final class KolmogorovSmirnov {
    /** Larger samples have the asymptotic probability by {@link Way#AUTO}. */
    private static final int MOST_EXACT = 10_000;

    private KolmogorovSmirnov() {}

    /** How the probability is found. */
    public enum Way {
        /** Exact up to 10,000 values in the larger sample, else asymptotic. */
        AUTO,
        /** Exact unless the number of places on the diagonal is above 2^31: then asymptotic. */
        EXACT,
        ASYMPTOTIC
    }

    /** By {@link Way#AUTO}. An empty sample is an error. */
    public static Significance test(NumberSample reference, NumberSample current) {
        return test(reference, current, Way.AUTO);
    }

    /** The statistic, and how likely one at least as large is. An empty sample is an error. */
    public static Significance test(NumberSample reference, NumberSample current, Way way) {
        int n = reference.notEmpty("reference").size();
        int m = current.notEmpty("current sample").size();
        double statistic = statistic(reference, current);
        int divisor = ArithmeticUtils.gcd(n, m);
        boolean fits = (long) (n / divisor) * (m / divisor) < Integer.MAX_VALUE;
        boolean isExact = way == Way.AUTO ? Math.max(n, m) <= MOST_EXACT : way == Way.EXACT && fits;
        if (!isExact) {
            return new Significance(statistic, asymptotic(statistic, n, m));
        }
        long places = (long) (n / divisor) * m;
        long height = Math.round(statistic * places);
        return new Significance((double) height / places, outside(n, m, divisor, height));
    }

    private static double statistic(NumberSample reference, NumberSample current) {
        int n = reference.size();
        int m = current.size();
        double most = 0;
        int i = 0;
        int j = 0;
        while (i < n && j < m) {
            double value = Math.min(reference.at(i), current.at(j));
            while (i < n && reference.at(i) <= value) {
                i++;
            }
            while (j < m && current.at(j) <= value) {
                j++;
            }
            most = Math.max(most, Math.abs((double) i / n - (double) j / m));
        }
        return most;
    }

    /** How likely a distance of at least {@code statistic} is for samples of these sizes. */
    static double asymptotic(double statistic, double n, double m) {
        double large = Math.max(n, m);
        double small = Math.min(n, m);
        return KolmogorovTail.above(statistic, (long) Math.rint(large * small / (large + small)));
    }

    /**
     * The share of paths from (0, 0) to the corner that touch the band's border: those with |x/m -
     * y/n| >= height / lcm somewhere. Each cell has the share of paths to it that did, so that
     * nothing is subtracted and small probabilities keep their digits.
     */
    private static double outside(int one, int other, int divisor, long height) {
        if (height == 0) {
            return 1;
        }
        int m = Math.max(one, other);
        int n = Math.min(one, other);
        long mStep = m / divisor;
        long nStep = n / divisor;
        int first = 0;
        int end = (int) Math.min(ceilDiv(height, mStep), n + 1L);
        double[] shares = new double[n + 2];
        java.util.Arrays.fill(shares, end, shares.length, 1);
        for (int i = 1; i <= m; i++) {
            first = (int) Math.min(Math.max(Math.floorDiv(nStep * i - height, mStep) + 1, 0), n);
            end = (int) Math.min(ceilDiv(nStep * i + height, mStep), n + 1L);
            if (end <= first) {
                return 1;
            }
            double below = first == 0 ? 0 : 1;
            for (int j = first; j < end; j++) {
                below = (shares[j] * i + below * j) / (i + j);
                shares[j] = below;
            }
            if (first > 0) {
                shares[first - 1] = 1;
            }
        }
        return Math.min(1, shares[n]);
    }

    private static long ceilDiv(long a, long b) {
        return -Math.floorDiv(-a, b);
    }
}
