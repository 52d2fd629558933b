package dev.medley.tensor.factor;

import java.util.Arrays;

/**
 * Gathers and solves A x = b for one row of a factorisation, A symmetric, by Cholesky's
 * decomposition: in double, and in the same order everywhere. A rating costs n^2 / 2 operations, a
 * solution n^3 / 6. An element that does not follow from the ratings is 0.
 */
final class NormalEquations {
    /** Share of a diagonal element below which what is left of it is rounding. */
    private static final double TOLERANCE = 1e-12;

    private final int n;
    private final double[] a;
    private final double[] b;
    private final double[] x;

    NormalEquations(int n) {
        this.n = n;
        a = new double[n * n];
        b = new double[n];
        x = new double[n];
    }

    /** Begins with a matrix, of which the lower triangle counts; null for zeros. */
    void begin(double[] from) {
        System.arraycopy(from, 0, a, 0, n * n);
        Arrays.fill(b, 0);
    }

    /** Begins with zeros. */
    void begin() {
        Arrays.fill(a, 0);
        Arrays.fill(b, 0);
    }

    /** Adds {@code weight} z z' to A and {@code right} z to b. */
    void add(double[] z, double weight, double right) {
        for (int i = 0; i < n; i++) {
            double factor = weight * z[i];
            int row = i * n;
            for (int j = 0; j <= i; j++) {
                a[row + j] += factor * z[j];
            }
        }
        for (int i = 0; i < n; i++) {
            b[i] += right * z[i];
        }
    }

    /** A as it was gathered: its lower triangle. */
    double[] gathered() {
        return a.clone();
    }

    /** Adds to the diagonal, solves, and gives x, which is valid until the next call. */
    double[] solve(double ridge) {
        for (int i = 0; i < n; i++) {
            a[i * n + i] += ridge;
        }
        for (int i = 0; i < n; i++) {
            factorise(i);
        }
        for (int i = 0; i < n; i++) {
            double rest = b[i];
            for (int k = 0; k < i; k++) {
                rest -= a[i * n + k] * x[k];
            }
            x[i] = a[i * n + i] == 0 ? 0 : rest / a[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            x[i] = a[i * n + i] == 0 ? 0 : x[i] / a[i * n + i];
            for (int k = 0; k < i; k++) {
                x[k] -= a[i * n + k] * x[i];
            }
        }
        return x;
    }

    private void factorise(int i) {
        double whole = a[i * n + i];
        for (int j = 0; j <= i; j++) {
            double rest = a[i * n + j];
            for (int k = 0; k < j; k++) {
                rest -= a[i * n + k] * a[j * n + k];
            }
            if (j < i) {
                a[i * n + j] = a[j * n + j] == 0 ? 0 : rest / a[j * n + j];
            } else {
                a[i * n + i] = rest > TOLERANCE * whole ? Math.sqrt(rest) : 0;
            }
        }
    }
}
