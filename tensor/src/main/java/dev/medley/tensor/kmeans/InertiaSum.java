package dev.medley.tensor.kmeans;

/**
 * The sum of squared distances of samples to their centres, from sums: of each centre, {@code sum
 * |x|^2 - 2 c sum x + n |c|^2}.
 */
final class InertiaSum {
    private InertiaSum() {}

    /**
     * Of samples of which these sums are known.
     *
     * @param squares sum of squared lengths of all
     */
    static double of(
            double[] sums, double[] counts, double squares, double[] centres, KMeansShape shape) {
        int d = shape.features();
        double inertia = squares;
        for (int c = 0; c < shape.k(); c++) {
            double product = 0;
            for (int j = c * d; j < (c + 1) * d; j++) {
                product += sums[j] * centres[j];
            }
            inertia += counts[c] * Distance.squaredLength(centres, c * d, d) - 2 * product;
        }
        return Math.max(0, inertia);
    }
}
