package dev.medley.loop.drift;

import org.hipparchus.distribution.discrete.BinomialDistribution;
import org.hipparchus.stat.inference.KolmogorovSmirnovTest;

/**
 * Computes how likely the empirical distribution of n values is as far as d from the true one. The
 * choice of ways is that of Simard and L'Ecuyer (Computing the Two-Sided Kolmogorov-Smirnov
 * Distribution, 2011), which is scipy's kstwo, too.
 */
final class KolmogorovTail {
    private static final int SMALL = 140;
    private static final int MOST_FOR_MATRIX = 100_000;
    private static final long MOST_SUMMED = 2_000_000;
    private static final double HUGE = 0x1p128;

    private KolmogorovTail() {}

    /** The probability of a distance of at least {@code d}, both ways. */
    static double above(double d, long n) {
        double places = n * d;
        if (places <= 0.5) {
            return 1;
        }
        if (d >= 1) {
            return 0;
        }
        if (places <= 1) {
            double inside = 1;
            for (long i = 1; i <= n && inside > 0; i++) {
                inside *= (double) i / n * (2 * places - 1);
            }
            return 1 - inside;
        }
        if (places >= n - 1) {
            return 2 * Math.pow(1 - d, (double) n);
        }
        double square = places * d;
        if (d >= 0.5 || square > (n <= SMALL ? 4 : 2.2)) {
            return square > 370 ? 0 : Math.min(1, 2 * oneSided(d, n));
        }
        if (n <= SMALL || (n <= MOST_FOR_MATRIX && n * Math.pow(d, 1.5) <= 1.4)) {
            return Math.max(0, 1 - matrix(d, (int) n));
        }
        return pelzGood(d, n);
    }

    /** Dwass's sum of the one-sided distance: a binomial probability each, all above 0. */
    private static double oneSided(double d, long n) {
        if (n > MOST_SUMMED) {
            return pelzGood(d, n) / 2;
        }
        double sum = 0;
        long last = (long) Math.floor(n * (1 - d));
        for (long j = 0; j <= last; j++) {
            double share = d + (double) j / n;
            double term =
                    share >= 1
                            ? j == n ? 1 : 0
                            : new BinomialDistribution((int) n, share).probability((int) j);
            sum += term * d / share;
        }
        return sum;
    }

    private static double pelzGood(double d, long n) {
        if (n * d * d < 0.01) {
            return 1; // But for exp(-123), of which the sums make no number.
        }
        int places = (int) Math.min(n, Integer.MAX_VALUE);
        return Math.min(1, Math.max(0, 1 - new KolmogorovSmirnovTest().pelzGood(d, places)));
    }

    /**
     * Marsaglia, Tsang and Wang (Evaluating Kolmogorov's Distribution, 2003): n! / n^n times the
     * middle of the n-th power of a matrix of 2 ceil(n d) - 1 rows, as the distance stays below d.
     */
    private static double matrix(double d, int n) {
        int k = (int) Math.ceil(n * d);
        double rest = k - n * d;
        int size = 2 * k - 1;
        double[][] power = firstMatrix(size, rest);
        double[][] result = new double[size][size];
        for (int i = 0; i < size; i++) {
            result[i][i] = 1;
        }
        int exponent = 0;
        int powerExponent = 0;
        for (int left = n; left > 0; left /= 2) {
            if (left % 2 == 1) {
                result = times(result, power);
                exponent += powerExponent;
            }
            power = times(power, power);
            powerExponent *= 2;
            if (power[k - 1][k - 1] > HUGE) {
                for (double[] row : power) {
                    for (int j = 0; j < size; j++) {
                        row[j] /= HUGE;
                    }
                }
                powerExponent += 128;
            }
        }
        double inside = result[k - 1][k - 1];
        for (int i = 1; i <= n; i++) {
            inside = i * inside / n;
            if (inside < 1 / HUGE) {
                inside *= HUGE;
                exponent -= 128;
            }
        }
        return Math.scalb(inside, exponent);
    }

    private static double[][] firstMatrix(int size, double rest) {
        double[] inverse = new double[size + 1];
        inverse[0] = 1;
        for (int i = 1; i <= size; i++) {
            inverse[i] = inverse[i - 1] / i;
        }
        double[][] matrix = new double[size][size];
        for (int i = 0; i < size; i++) {
            double border = (1 - Math.pow(rest, i + 1)) * inverse[i + 1];
            for (int j = 1; j <= i + 1 && j < size; j++) {
                matrix[i][j] = inverse[i + 1 - j];
            }
            matrix[i][0] = border;
        }
        for (int i = 0; i < size; i++) {
            matrix[size - 1][size - 1 - i] = matrix[i][0];
        }
        double corner = 1 - 2 * Math.pow(rest, size) + Math.pow(Math.max(0, 2 * rest - 1), size);
        matrix[size - 1][0] = corner * inverse[size];
        return matrix;
    }

    private static double[][] times(double[][] a, double[][] b) {
        int size = a.length;
        double[][] product = new double[size][size];
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                double factor = a[i][k];
                for (int j = 0; j < size && factor != 0; j++) {
                    product[i][j] += factor * b[k][j];
                }
            }
        }
        return product;
    }
}
