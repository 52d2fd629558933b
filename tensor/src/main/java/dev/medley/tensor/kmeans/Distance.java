package dev.medley.tensor.kmeans;

/** Squared Euclidean distances in double precision, each summed in the order of features. */
final class Distance {
    private Distance() {}

    /** Between a sample that begins at {@code at} and a centre that begins at {@code from}. */
    static double squared(float[] sample, int at, double[] centres, int from, int features) {
        double sum = 0;
        for (int j = 0; j < features; j++) {
            double apart = sample[at + j] - centres[from + j];
            sum += apart * apart;
        }
        return sum;
    }

    /** Between two centres, which begin at {@code a} and {@code b}. */
    static double squared(double[] first, int a, double[] second, int b, int features) {
        double sum = 0;
        for (int j = 0; j < features; j++) {
            double apart = first[a + j] - second[b + j];
            sum += apart * apart;
        }
        return sum;
    }

    /** Squared length of what begins at {@code at}. */
    static double squaredLength(double[] values, int at, int features) {
        double sum = 0;
        for (int j = 0; j < features; j++) {
            sum += values[at + j] * values[at + j];
        }
        return sum;
    }
}
