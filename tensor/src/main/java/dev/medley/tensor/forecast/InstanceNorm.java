package dev.medley.tensor.forecast;

import dev.medley.tensor.Tensor;

/**
 * Brings each channel of each window to mean 0 and deviation 1, and forecasts back: reversible
 * instance normalisation (Kim et al. 2022), without a learnt scale and shift.
 *
 * @param mean [samples, 1, channels]
 * @param deviation [samples, 1, channels]
 */
record InstanceNorm(Tensor mean, Tensor deviation) {
    private static final double EPSILON = 1e-5;

    /** That of windows [samples, rows, channels]. */
    static InstanceNorm of(Tensor windows) {
        double share = 1.0 / windows.size(1);
        Tensor mean = kept(windows.sum(1).times(share));
        Tensor away = windows.minus(mean);
        Tensor variance = kept(away.times(away).sum(1).times(share));
        return new InstanceNorm(mean, variance.plus(EPSILON).sqrt());
    }

    private static Tensor kept(Tensor sums) {
        return sums.view(sums.size(0), 1, sums.size(1));
    }

    Tensor normalised(Tensor windows) {
        return windows.minus(mean).divide(deviation);
    }

    Tensor restored(Tensor forecasts) {
        return forecasts.times(deviation).plus(mean);
    }
}
