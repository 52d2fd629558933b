package dev.medley.tensor.layer;

import dev.medley.base.memory.ElementType;
import dev.medley.tensor.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Remembers the mean and variance of each channel that a normalisation uses for evaluation. They
 * move by {@value #MOMENTUM} towards those of all values that a step has seen here, however many
 * micro-batches these came in. Variances are those of a sample, divided by n - 1, as PyTorch has
 * them.
 *
 * <p>Counts what came since {@link #restart}, so that workers can compute the moments of all their
 * values together: with r the remembered mean, each step of n values with mean m and variance s
 * does
 *
 * <pre>
 *     r = r + 0.1 (m - r);  v = v + 0.1 (s - v)
 * </pre>
 *
 * <p>One owner: the thread that learns.
 */
public final class RunningMoments {
    /** How far a step moves what is remembered. */
    public static final double MOMENTUM = 0.1;

    private final Parameter mean;
    private final Parameter variance;
    private long meanOffset;
    private long varianceOffset;

    // Of the step under way, so far.
    private double[] meanBefore = {};
    private double[] varianceBefore = {};
    private double[] meanSeen = {};
    private double[] squaresSeen = {};
    private long seen;

    // Since the last restart.
    private long values;
    private int steps;

    /** Of so many channels: mean 0 and variance 1. */
    public RunningMoments(int channels) {
        mean = Parameter.of(Initializer.constant(0), channels);
        variance = Parameter.of(Initializer.constant(1), channels);
    }

    Parameter mean() {
        return mean;
    }

    Parameter variance() {
        return variance;
    }

    /** Lies there in the flat statistics, in elements; called once, by who lays the model out. */
    public void lieAt(long offsetOfMean, long offsetOfVariance) {
        meanOffset = offsetOfMean;
        varianceOffset = offsetOfVariance;
    }

    /** Where the means lie in the flat statistics, in elements. */
    public long meanOffset() {
        return meanOffset;
    }

    /** Where the variances lie. */
    public long varianceOffset() {
        return varianceOffset;
    }

    /** Number of means. */
    public int channels() {
        return (int) mean.count();
    }

    /** A step begins: what is remembered by now is what it moves. */
    public void begin() {
        seen = 0;
    }

    /** Values of each channel that came since the last {@link #restart}. */
    public long values() {
        return values;
    }

    /** Steps in which they came. */
    public int steps() {
        return steps;
    }

    /** Counts anew from here on. */
    public void restart() {
        values = 0;
        steps = 0;
    }

    /** The part of the old moments that is gone after so many steps. */
    public static double moved(int steps) {
        return 1 - Math.pow(1 - MOMENTUM, steps);
    }

    /**
     * The step has seen more.
     *
     * @param ofThese mean of each channel
     * @param spread their variances; of no meaning where there is one value
     * @param count values of each channel
     */
    void add(Tensor ofThese, Tensor spread, long count) {
        if (seen == 0) {
            meanBefore = read(mean.value());
            varianceBefore = read(variance.value());
            meanSeen = new double[channels()];
            squaresSeen = new double[channels()];
            steps++;
        }
        double[] means = read(ofThese);
        double[] variances = count > 1 ? read(spread) : new double[channels()];
        long all = seen + count;
        for (int i = 0; i < means.length; i++) {
            // Chan, Golub, LeVeque 1979.
            double apart = means[i] - meanSeen[i];
            meanSeen[i] += apart * count / all;
            squaresSeen[i] += variances[i] * (count - 1) + apart * apart * seen / all * count;
        }
        seen = all;
        values += count;
        move();
    }

    private void move() {
        double[] means = meanBefore.clone();
        double[] variances = varianceBefore.clone();
        Arrays.setAll(means, i -> means[i] + MOMENTUM * (meanSeen[i] - means[i]));
        if (seen > 1) {
            Arrays.setAll(
                    variances,
                    i -> variances[i] + MOMENTUM * (squaresSeen[i] / (seen - 1) - variances[i]));
        }
        write(means, mean.value());
        write(variances, variance.value());
    }

    private static double[] read(Tensor tensor) {
        double[] values = new double[(int) tensor.count()];
        tensor.toHostArray(ElementType.FLOAT64).data().buffer().asDoubleBuffer().get(values);
        return values;
    }

    private static void write(double[] values, Tensor into) {
        boolean isDouble = into.type() == ElementType.FLOAT64;
        int i = 0;
        for (ByteBuffer piece : into.span().buffers()) {
            while (piece.hasRemaining()) {
                if (isDouble) {
                    piece.putDouble(values[i++]);
                } else {
                    piece.putFloat((float) values[i++]);
                }
            }
        }
    }
}
