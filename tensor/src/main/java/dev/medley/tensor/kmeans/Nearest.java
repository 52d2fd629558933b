package dev.medley.tensor.kmeans;

/**
 * Finds the nearest of the centres that a sample was scored against. Where scores are so close that
 * single precision may err, distances in double precision decide, and of equal ones the first
 * centre. So it is the same on any machine.
 */
final class Nearest {
    private final CentreProducts products;
    private int centre;
    private double squared;
    private double squaredOfOthers;

    Nearest(CentreProducts products) {
        this.products = products;
    }

    /** Looks at the sample in a row. */
    void find(int row) {
        float[] scores = products.scores();
        int from = row * products.count();
        int end = from + products.count();
        float best = Float.POSITIVE_INFINITY;
        float second = Float.POSITIVE_INFINITY;
        int at = from;
        for (int i = from; i < end; i++) {
            float score = scores[i];
            if (score < second) {
                if (score < best) {
                    second = best;
                    best = score;
                    at = i;
                } else {
                    second = score;
                }
            }
        }
        double length = products.squaredLength(row);
        double error = products.error(length);
        if ((double) second - best > 2 * error) {
            centre = at - from;
            squared = products.squaredDistance(row, centre);
            squaredOfOthers = second - error + length;
        } else {
            decide(row, best + 2 * error, length - error);
        }
    }

    private void decide(int row, double limit, double offset) {
        int from = row * products.count();
        float[] scores = products.scores();
        squared = Double.POSITIVE_INFINITY;
        squaredOfOthers = limit + offset;
        for (int c = 0; c < products.count(); c++) {
            if (scores[from + c] <= limit) {
                double distance = products.squaredDistance(row, c);
                if (distance < squared) {
                    squaredOfOthers = Math.min(squaredOfOthers, squared);
                    squared = distance;
                    centre = c;
                } else {
                    squaredOfOthers = Math.min(squaredOfOthers, distance);
                }
            }
        }
    }

    /** The nearest centre. */
    int centre() {
        return centre;
    }

    /** The squared distance to it. */
    double squared() {
        return squared;
    }

    /** A bound below the squared distances to all others; may be below 0. */
    double squaredOfOthers() {
        return squaredOfOthers;
    }
}
