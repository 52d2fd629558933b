package dev.medley.fleet.rates;

/** Solves linear equations with a symmetric positive matrix by its factor, row by row. */
final class Cholesky {
    private final double[][] factor;

    /**
     * @param matrix lower half; it is overwritten
     */
    Cholesky(double[][] matrix) {
        factor = matrix;
        for (int row = 0; row < matrix.length; row++) {
            for (int column = 0; column <= row; column++) {
                double sum = matrix[row][column];
                for (int k = 0; k < column; k++) {
                    sum -= factor[row][k] * factor[column][k];
                }
                factor[row][column] =
                        row == column
                                ? Math.sqrt(Math.max(sum, 1e-12))
                                : sum / factor[column][column];
            }
        }
    }

    /** What the factor times the result gives {@code right}. */
    double[] half(double[] right) {
        double[] x = right.clone();
        for (int row = 0; row < x.length; row++) {
            for (int k = 0; k < row; k++) {
                x[row] -= factor[row][k] * x[k];
            }
            x[row] /= factor[row][row];
        }
        return x;
    }

    /** What the matrix times the result gives {@code right}. */
    double[] solve(double[] right) {
        double[] x = half(right);
        for (int row = x.length - 1; row >= 0; row--) {
            for (int k = row + 1; k < x.length; k++) {
                x[row] -= factor[k][row] * x[k];
            }
            x[row] /= factor[row][row];
        }
        return x;
    }
}
