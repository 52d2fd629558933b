package dev.medley.base;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An estimate from one step of the gradient's squared length and of its noise. The true gradient is
 * G; a gradient over one sample scatters around it with the covariance Sigma. Both numbers are
 * unbiased, and each by itself is uncertain by about as much as it is large: take means over many
 * steps, of both separately, and only then a quotient (McCandlish et al. 2018, arXiv 1812.06162,
 * appendix A).
 *
 * @param signal |G|^2; may be below 0 in a single step
 * @param variance trace of Sigma, of a single sample
 */
public record NoiseSample(double signal, double variance) {
    /** Whether it can be reckoned with. */
    public boolean isFinite() {
        return Double.isFinite(signal) && Double.isFinite(variance);
    }

    /**
     * From gradients of workers with unequal shares. With p_i = b_i / B and k workers,
     *
     * <pre>
     *     A = sum p_i |g_i|^2,  N = |sum p_i g_i|^2
     *     |G|^2 = (k N - A) / (k - 1),  tr Sigma = B (A - N) / (k - 1)
     * </pre>
     *
     * since E|g_i|^2 = |G|^2 + tr Sigma / b_i. With equal shares that is AdaptDL's estimator (Qiao
     * et al., OSDI 2021).
     *
     * @param weights b_i; a worker whose weight is 0 does not count
     * @param squares |g_i|^2 of each worker's own mean gradient
     * @param square N of the mean gradient of all
     * @return null if fewer than two workers have a weight
     */
    public static @Nullable NoiseSample of(
            List<Double> weights, List<Double> squares, double square) {
        double all = weights.stream().mapToDouble(Double::doubleValue).sum();
        int workers = 0;
        double mean = 0;
        for (int i = 0; i < weights.size(); i++) {
            if (weights.get(i) > 0) {
                workers++;
                mean += weights.get(i) / all * squares.get(i);
            }
        }
        if (workers < 2) {
            return null;
        }
        return new NoiseSample(
                (workers * square - mean) / (workers - 1), all * (mean - square) / (workers - 1));
    }

    /**
     * From one worker's gradients of a part of its samples and of all of them: the same two
     * equations, with two batches of which one lies in the other.
     *
     * @return null if the part is empty or everything
     */
    public static @Nullable NoiseSample nested(
            double part, double squareOfPart, double all, double squareOfAll) {
        if (!(part > 0) || !(part < all)) {
            return null;
        }
        return new NoiseSample(
                (all * squareOfAll - part * squareOfPart) / (all - part),
                (squareOfPart - squareOfAll) / (1 / part - 1 / all));
    }

    /** The same where a sample has {@code weight}: weights were counted, samples are meant. */
    public NoiseSample perSampleOf(double weight) {
        return new NoiseSample(signal, variance / weight);
    }
}
