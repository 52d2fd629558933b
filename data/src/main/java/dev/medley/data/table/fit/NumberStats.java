package dev.medley.data.table.fit;

/**
 * Computes mean and deviation of a column's training values. A chunk is summed in two passes and
 * merged by Chan, Golub and LeVeque's formula (1979), so that the result does not suffer from a
 * large mean; the order is that of the rows, so that it repeats bit for bit.
 */
final class NumberStats {
    private long count;
    private long missing;
    private double mean;
    private double squares;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;

    /** Adds the rows for which {@code isTrain} holds. NaN is a missing value. */
    void add(double[] values, boolean[] isTrain, int rows) {
        int n = 0;
        double sum = 0;
        for (int i = 0; i < rows; i++) {
            double value = values[i];
            if (!isTrain[i]) {
                continue;
            }
            if (Double.isNaN(value)) {
                missing++;
                continue;
            }
            n++;
            sum += value;
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        if (n > 0) {
            merge(n, sum / n, squares(values, isTrain, rows, sum / n));
        }
    }

    private static double squares(double[] values, boolean[] isTrain, int rows, double mean) {
        double squares = 0;
        for (int i = 0; i < rows; i++) {
            double away = values[i] - mean;
            if (isTrain[i] && !Double.isNaN(away)) {
                squares += away * away;
            }
        }
        return squares;
    }

    private void merge(long n, double chunkMean, double chunkSquares) {
        double away = chunkMean - mean;
        long total = count + n;
        mean += away * n / total;
        squares += chunkSquares + away * away * count * n / total;
        count = total;
    }

    /** Training rows without a value. */
    long missing() {
        return missing;
    }

    double mean() {
        return mean;
    }

    /** Whether training rows have one value at most. */
    boolean isConstant() {
        return count == 0 || least == most;
    }

    /** Over the values, not an estimate of a population; 1 for a constant. */
    double deviation() {
        double deviation = count == 0 ? 0 : Math.sqrt(squares / count);
        return isConstant() || deviation == 0 ? 1 : deviation;
    }

    double least() {
        return least;
    }

    double most() {
        return most;
    }
}
