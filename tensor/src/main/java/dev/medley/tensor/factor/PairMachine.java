package dev.medley.tensor.factor;

import dev.medley.tensor.model.StepLoss;

/**
 * Predicts by factorisation machines and finds their gradients, in plain Java: each number follows
 * from the same operations on every CPU. Rows are a weight and its factors; those of a batch lie
 * one behind the other. A sample costs as many operations as its rows have numbers, twice (Rendle
 * 2010, lemma 3.1).
 */
final class PairMachine {
    private final int stride;
    private final int categories;
    private final boolean isLogistic;
    private final float[] sum;

    /**
     * For rows of so many numbers.
     *
     * @param categories of a sample, which come before its numbers
     * @param isLogistic whether the loss is that of two classes, and not the squared error
     */
    PairMachine(int stride, int categories, boolean isLogistic) {
        this.stride = stride;
        this.categories = categories;
        this.isLogistic = isLogistic;
        sum = new float[stride - 1];
    }

    /** Squared lengths of the factors of each row. */
    float[] squares(float[] values, int rows) {
        float[] squares = new float[rows];
        for (int row = 0; row < rows; row++) {
            squares[row] = dot(values, row * stride + 1, values, row * stride + 1, stride - 1);
        }
        return squares;
    }

    /** The output for a sample of a batch, in the units of the loss. */
    double output(TouchedBatch batch, int sample, float[] values, float[] squares) {
        int each = batch.ofSample();
        double output = values[(batch.rows().length - 1) * stride];
        double own = 0;
        java.util.Arrays.fill(sum, 0);
        for (int i = 0; i < each; i++) {
            int row = batch.places()[sample * each + i];
            float x = x(batch, sample, i, each);
            output += x * values[row * stride];
            own += x * x * squares[row];
            int from = row * stride + 1;
            for (int f = 0; f < sum.length; f++) {
                sum[f] += x * values[from + f];
            }
        }
        return output + 0.5 * (dot(sum, 0, sum, 0, sum.length) - own);
    }

    /** The loss of an output. */
    double loss(double output, float target) {
        if (isLogistic) {
            return Math.max(output, 0)
                    - output * target
                    + StrictMath.log1p(StrictMath.exp(-Math.abs(output)));
        }
        double error = output - target;
        return error * error;
    }

    private double slope(double output, float target) {
        return isLogistic ? 1 / (1 + StrictMath.exp(-output)) - target : 2 * (output - target);
    }

    /**
     * The loss of a batch, whose gradient is added to {@code gradients}; it is no number where one
     * of its slopes is none.
     */
    StepLoss learn(TouchedBatch batch, float[] values, float[] gradients) {
        int each = batch.ofSample();
        float[] squares = squares(values, batch.rows().length);
        int bias = (batch.rows().length - 1) * stride;
        double lossSum = 0;
        for (int sample = 0; sample < batch.samples(); sample++) {
            double output = output(batch, sample, values, squares);
            float target = batch.targets()[sample];
            float weight = batch.weights()[sample];
            lossSum += weight * loss(output, target);
            float slope = (float) (weight * slope(output, target));
            gradients[bias] += slope;
            for (int i = 0; i < each; i++) {
                float x = x(batch, sample, i, each);
                int row = batch.places()[sample * each + i] * stride;
                float factor = slope * x;
                gradients[row] += factor;
                for (int f = 0; f < sum.length; f++) {
                    gradients[row + 1 + f] += factor * (sum[f] - x * values[row + 1 + f]);
                }
            }
        }
        return new StepLoss(lossSum, batch.weight());
    }

    private float x(TouchedBatch batch, int sample, int i, int each) {
        return i < categories ? 1 : batch.numbers()[sample * (each - categories) + i - categories];
    }

    /** Four sums side by side, then theirs: the same order everywhere. */
    static float dot(float[] left, int l, float[] right, int r, int count) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        int i = 0;
        for (; i + 3 < count; i += 4) {
            a += left[l + i] * right[r + i];
            b += left[l + i + 1] * right[r + i + 1];
            c += left[l + i + 2] * right[r + i + 2];
            d += left[l + i + 3] * right[r + i + 3];
        }
        for (; i < count; i++) {
            a += left[l + i] * right[r + i];
        }
        return a + b + (c + d);
    }
}
