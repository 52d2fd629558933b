package dev.medley.plan.policy;

import dev.medley.base.NoiseSample;

/**
 * The noise of the gradient over many steps: exponentially weighted means of signal and variance.
 * Each is averaged by itself, since the mean of quotients is not the quotient of means. The signal
 * of a single step is uncertain by as much as it is large, so its mean comes with a standard error.
 *
 * @param signal weighted sum of |G|^2
 * @param variance weighted sum of tr Sigma, of a single sample
 * @param squares weighted sum of the squares of the signals
 * @param weight of the steps
 * @param weightSquares sum of the squares of their weights
 */
public record GradientNoise(
        double signal, double variance, double squares, double weight, double weightSquares) {
    /** A step that is 100 others old counts a third of the last. */
    private static final double KEEP = 0.99;

    /** Weight of about 20 steps: fewer say nothing of their own scatter. */
    private static final double ENOUGH = 18;

    /** Nothing was measured yet. */
    public static final GradientNoise UNKNOWN = new GradientNoise(0, 0, 0, 0, 0);

    /**
     * The noise scale tr Sigma / |G|^2, the batch at which noise and signal of the mean gradient
     * are equal, in samples: within one standard error of the signal.
     *
     * @param least at least about so many
     * @param most at most about so many; infinite where the signal cannot be told from nothing
     */
    public record Scale(double least, double most) {
        /** One that is known exactly. */
        public static Scale of(double samples) {
            return new Scale(samples, samples);
        }
    }

    /** With one more step; one whose numbers are not finite teaches nothing. */
    public GradientNoise after(NoiseSample step) {
        if (!Double.isFinite(step.signal()) || !Double.isFinite(step.variance())) {
            return this;
        }
        return new GradientNoise(
                KEEP * signal + step.signal(),
                KEEP * variance + step.variance(),
                KEEP * squares + step.signal() * step.signal(),
                KEEP * weight + 1,
                KEEP * KEEP * weightSquares + 1);
    }

    /** Whether enough steps were measured to act on. */
    public boolean isKnown() {
        return weight >= ENOUGH;
    }

    /** The noise scale; of 0 samples where there is no noise. */
    public Scale scale() {
        double mean = signal / weight;
        double scatter = Math.max(0, squares / weight - mean * mean);
        double error = Math.sqrt(scatter * weightSquares) / weight;
        double trace = Math.max(0, variance / weight);
        return new Scale(quotient(trace, mean + error), quotient(trace, mean - error));
    }

    private static double quotient(double trace, double squaredNorm) {
        if (trace == 0) {
            return 0;
        }
        return squaredNorm > 0 ? trace / squaredNorm : Double.POSITIVE_INFINITY;
    }
}
