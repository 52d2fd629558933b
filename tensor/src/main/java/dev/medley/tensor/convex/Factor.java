package dev.medley.tensor.convex;

import java.util.Arrays;

/**
 * Factors a matrix of second derivatives as L L^T, and leaves out rows that follow from those
 * before them: their coefficients cannot be told apart (as R's glm reports coefficients that are
 * NA).
 *
 * <p>Cost: n^3 / 3 multiplications for n coefficients.
 */
final class Factor {
    /** Share of a diagonal element below which what is left of it is rounding. */
    private static final double TOLERANCE = 1e-9;

    private final double[][] lower;

    private Factor(double[] packed, int n) {
        lower = new double[n][];
        for (int i = 0; i < n; i++) {
            lower[i] = Arrays.copyOfRange(packed, i * (i + 1) / 2, (i + 1) * (i + 2) / 2);
        }
    }

    /**
     * Of a symmetric matrix.
     *
     * @param packed its lower triangle row by row; not changed
     * @param n rows
     */
    static Factor of(double[] packed, int n) {
        Factor factor = new Factor(packed, n);
        factor.compute();
        return factor;
    }

    /** One that was {@link #packed} before. */
    static Factor again(double[] packed, int n) {
        return new Factor(packed, n);
    }

    /** The factor, to be kept. */
    double[] packed() {
        int n = lower.length;
        double[] packed = new double[n * (n + 1) / 2];
        for (int i = 0; i < n; i++) {
            System.arraycopy(lower[i], 0, packed, i * (i + 1) / 2, i + 1);
        }
        return packed;
    }

    private void compute() {
        int n = lower.length;
        // The last row first, so that of several that say the same the first is left out.
        for (int k = n - 1; k >= 0; k--) {
            double whole = lower[k][k];
            double rest = whole;
            for (int j = n - 1; j > k; j--) {
                rest -= lower[j][k] * lower[j][k];
            }
            boolean follows = !(rest > TOLERANCE * whole);
            double root = Math.sqrt(rest);
            lower[k][k] = follows ? 0 : root;
            for (int i = k - 1; i >= 0; i--) {
                double sum = lower[k][i];
                for (int j = n - 1; j > k; j--) {
                    sum -= lower[j][k] * lower[j][i];
                }
                lower[k][i] = follows ? 0 : sum / root;
            }
        }
    }

    /** Whether a row follows from those behind it. */
    boolean isAliased(int row) {
        return lower[row][row] == 0;
    }

    /** What the matrix makes {@code x} of; 0 for rows that are left out. */
    double[] solve(double[] x) {
        int n = lower.length;
        double[] y = x.clone();
        for (int k = n - 1; k >= 0; k--) {
            y[k] = isAliased(k) ? 0 : y[k] / lower[k][k];
            for (int i = k - 1; i >= 0; i--) {
                y[i] -= lower[k][i] * y[k];
            }
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < k; i++) {
                y[k] -= lower[k][i] * y[i];
            }
            y[k] = isAliased(k) ? 0 : y[k] / lower[k][k];
        }
        return y;
    }

    /** The diagonal of the inverse; NaN for rows that are left out. */
    double[] inverseDiagonal() {
        int n = lower.length;
        double[] diagonal = new double[n];
        double[] column = new double[n];
        for (int k = 0; k < n; k++) {
            if (isAliased(k)) {
                diagonal[k] = Double.NaN;
                continue;
            }
            // With A = U U^T for U[i][k] = lower[k][i], column k of the inverse of U.
            Arrays.fill(column, 0);
            column[k] = 1 / lower[k][k];
            for (int i = k - 1; i >= 0; i--) {
                double sum = 0;
                for (int j = i + 1; j <= k; j++) {
                    sum += lower[j][i] * column[j];
                }
                column[i] = isAliased(i) ? 0 : -sum / lower[i][i];
            }
            for (int i = 0; i <= k; i++) {
                diagonal[k] += column[i] * column[i];
            }
        }
        return diagonal;
    }
}
