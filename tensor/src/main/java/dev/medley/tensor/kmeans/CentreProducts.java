package dev.medley.tensor.kmeans;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Autograd;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Tensor;
import java.nio.FloatBuffer;

/**
 * Scores samples against centres, many at once: {@code |c|^2 - 2 x c}, the squared distance but for
 * {@code |x|^2}, by a matrix product in single precision, in which each sample has a 1 more for
 * {@code |c|^2}. Cost: 2 k (d + 1) operations a sample.
 *
 * <p>{@link #error} says how far a score may be off, so that who needs to know can look again.
 * Samples and centres should be centred: errors follow their lengths. One thread.
 */
final class CentreProducts {
    /** Samples at once; fewer where there are many centres. */
    static final int MOST_ROWS = 1024;

    private static final int FEWEST_ROWS = 32;
    private static final int MOST_SCORES = 1 << 20;

    private final int count;
    private final int features;
    private final int rows;
    private final double[] centres;
    private final double longest;
    private final HostArray samples;
    private final HostArray factors;
    private final HostArray products;
    private final FloatBuffer into;
    private final FloatBuffer out;
    private final float[] scores;
    private final float[] gathered;
    private int filled;

    /** Of so many centres, one after the other in {@code centres}. */
    CentreProducts(double[] centres, int count, int features) {
        this.centres = centres;
        this.count = count;
        this.features = features;
        rows = Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, MOST_SCORES / Math.max(1, count)));
        samples = HostArray.allocate(ElementType.FLOAT32, rows, features + 1);
        factors = HostArray.allocate(ElementType.FLOAT32, features + 1, count);
        products = HostArray.allocate(ElementType.FLOAT32, rows, count);
        into = samples.data().buffer().asFloatBuffer();
        out = products.data().buffer().asFloatBuffer();
        scores = new float[rows * count];
        gathered = new float[rows * features];
        double most = 0;
        FloatBuffer factor = factors.data().buffer().asFloatBuffer();
        for (int c = 0; c < count; c++) {
            double length = Distance.squaredLength(centres, c * features, features);
            factor.put(features * count + c, (float) length);
            most = Math.max(most, length);
            for (int j = 0; j < features; j++) {
                factor.put(j * count + c, -2 * (float) centres[c * features + j]);
            }
        }
        longest = most;
    }

    /** How many centres there are. */
    int count() {
        return count;
    }

    /** Takes one more sample, the next of those that are scored together. */
    void add(float[] from, int at) {
        System.arraycopy(from, at, gathered, filled++ * features, features);
    }

    /** Samples that wait. */
    int waiting() {
        return filled;
    }

    /** Whether no more fit in. */
    boolean isFull() {
        return filled == rows;
    }

    /** Scores those that wait. */
    void score() {
        for (int row = 0; row < filled; row++) {
            into.put(row * (features + 1), gathered, row * features, features);
            into.put(row * (features + 1) + features, 1);
        }
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            Tensor unused =
                    Tensor.aliasOf(products.rows(0, filled))
                            .setProduct(
                                    Tensor.aliasOf(samples.rows(0, filled)),
                                    Tensor.aliasOf(factors));
        }
        out.get(0, scores, 0, filled * count);
    }

    /** Those that waited are done with. */
    void clear() {
        filled = 0;
    }

    /** Scores of all samples; those of one begin at its place times the number of centres. */
    float[] scores() {
        return scores;
    }

    /** How far a score of a sample of this squared length, and the length itself, may be off. */
    double error(double squaredLength) {
        return (features + 16) * Math.scalb(squaredLength + longest, -23);
    }

    /** The squared distance of a sample to a centre, in double precision. */
    double squaredDistance(int row, int centre) {
        return Distance.squared(gathered, row * features, centres, centre * features, features);
    }

    /** The sample's squared length. */
    double squaredLength(int row) {
        double sum = 0;
        for (int j = row * features; j < (row + 1) * features; j++) {
            sum += (double) gathered[j] * gathered[j];
        }
        return sum;
    }

    /** All samples, one after the other. */
    float[] samples() {
        return gathered;
    }
}
