package dev.medley.tensor.kmeans;

/** Sums the samples of each centre, exactly, with their counts and squared lengths. */
final class SampleSums implements BatchPass.Taker {
    private final KMeansShape shape;
    private final ExactUnit unit;
    private final ExactUnit ofSquares;
    private final double[] all;
    private double inertia;

    /** In the units of a fit that knows its samples. */
    SampleSums(KMeansShape shape, KMeansState state) {
        this.shape = shape;
        unit = state.unit();
        ofSquares = state.unitOfSquares();
        all = new double[shape.centres() + shape.k() + 1];
    }

    @Override
    public void take(float[] samples, int at, int nearest, double squared) {
        int d = shape.features();
        double length = 0;
        for (int j = 0; j < d; j++) {
            all[nearest * d + j] += unit.round(samples[at + j]);
            length += (double) samples[at + j] * samples[at + j];
        }
        all[shape.centres() + nearest]++;
        all[all.length - 1] += ofSquares.round(length);
        inertia += squared;
    }

    /** Sums, then counts, then the sum of squared lengths. */
    double[] all() {
        return all;
    }

    /** Sum of squared distances. */
    double inertia() {
        return inertia;
    }
}
