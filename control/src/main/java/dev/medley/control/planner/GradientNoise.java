package dev.medley.control.planner;

import dev.medley.base.NoiseSample;

/**
 * How noisy the gradient is, from many steps: exponentially weighted means of signal and variance,
 * each by itself, since the mean of quotients is not the quotient of means.
 *
 * @param signal weighted sum of |G|^2
 * @param variance weighted sum of tr Sigma, of a single sample
 * @param weight of the steps
 */
public record GradientNoise(double signal, double variance, double weight) {
    /** A step that is 50 others old counts a third of the last. */
    private static final double KEEP = 0.98;

    /** Weight of about 20 steps: both numbers of a single step are as uncertain as large. */
    private static final double ENOUGH = 16;

    /** Nothing was measured yet. */
    public static final GradientNoise UNKNOWN = new GradientNoise(0, 0, 0);

    /** With one more step; one whose numbers are not finite teaches nothing. */
    public GradientNoise after(NoiseSample step) {
        if (!Double.isFinite(step.signal()) || !Double.isFinite(step.variance())) {
            return this;
        }
        return new GradientNoise(
                KEEP * signal + step.signal(),
                KEEP * variance + step.variance(),
                KEEP * weight + 1);
    }

    /** Whether enough steps were measured to act on. */
    public boolean isKnown() {
        return weight >= ENOUGH;
    }

    /**
     * The noise scale tr Sigma / |G|^2: the batch at which noise and signal of the mean gradient
     * are equal, in samples. Without bound where the signal cannot be told from nothing.
     */
    public double scale() {
        if (variance <= 0) {
            return 0;
        }
        return signal > 0 ? variance / signal : Double.POSITIVE_INFINITY;
    }
}
