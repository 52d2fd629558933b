package dev.medley.tensor.loss;

import dev.medley.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Measures how wrong a model's outputs are. A user's own loss is a class with a constructor without
 * parameters, or one that takes its options as a {@code Map<String, String>}.
 */
@FunctionalInterface
public interface LossFunction {
    /**
     * The sum of the losses of all samples (or tokens), a single value.
     *
     * @param outputs of the model, [samples, ...]
     * @param target INT64 class or token indices, or values of the outputs' type
     */
    Tensor sum(Tensor outputs, Tensor target);

    /**
     * The loss of each sample, [samples]: where samples or classes weigh unlike. Null where the sum
     * alone is known; then they cannot.
     */
    default @Nullable Tensor each(Tensor outputs, Tensor target) {
        return null;
    }

    /** The divisor of the sum for a mean: the samples, unless some do not count. */
    default double weight(Tensor target) {
        return target.size(0);
    }

    /**
     * Whether {@link #weight} is the number of samples whatever their targets are, so that all know
     * what the samples of others weigh. Where it is not said, workers tell each other before a step
     * whose gradients a codec rounds.
     */
    default boolean countsSamples() {
        return false;
    }
}
