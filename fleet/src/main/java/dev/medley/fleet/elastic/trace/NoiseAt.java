package dev.medley.fleet.elastic.trace;

/**
 * Holds the gradient noise of a job at one point of its training.
 *
 * @param squared norm of the gradient, squared
 * @param variance of the gradient of the initial batch
 */
public record NoiseAt(double squared, double variance) {
    /**
     * How many steps of the initial batch one step of a batch {@code scale} times as large is worth
     * (AdaScale; Pollux, equation 7): from 1 without noise to {@code scale} with nothing else.
     */
    public double gain(double scale) {
        double denominator = variance / scale + squared;
        return denominator > 0 ? (variance + squared) / denominator : 1;
    }

    /** The sum of parts: {@code share} of this, the rest of {@code other}. */
    NoiseAt mix(double share, NoiseAt other) {
        return new NoiseAt(
                share * squared + (1 - share) * other.squared,
                share * variance + (1 - share) * other.variance);
    }
}
