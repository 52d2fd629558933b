package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.RandomStream;
import dev.medley.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A pass of a batch through a network.
 *
 * @param mode whether the network learns from it
 * @param random of this pass: the same for the same (seed, step, position)
 * @param products how linear layers multiply, and where their gradients go
 * @param cache of the positions before, for a network that goes on with a sequence; else null
 * @param seen which positions attention may see, 1 or 0, [samples, 1, 1, positions]; null for all
 */
public record Pass(
        Mode mode,
        RandomStream random,
        Products products,
        @Nullable KeyValueCache cache,
        @Nullable Tensor seen) {
    /** A pass of whole samples. */
    public Pass(Mode mode, RandomStream random, Products products) {
        this(mode, random, products, null, null);
    }

    /** A pass that goes on with a sequence. */
    public static Pass goingOn(KeyValueCache cache) {
        return new Pass(Mode.EVALUATION, RandomStream.NONE, Products.PLAIN, cache, null);
    }

    /** The same in which attention sees those positions alone. */
    public Pass seeing(Tensor positions) {
        return new Pass(mode, random, products, cache, positions);
    }

    /** The product of a linear layer; it may write the gradients straight to their place. */
    @FunctionalInterface
    public interface Products {
        /** LibTorch's own product. */
        Products PLAIN = (x, w, b) -> Functional.linear(x, w.value(), b.value());

        /** x W^T + b. */
        Tensor linear(Tensor x, Parameter weight, Parameter bias);
    }

    /** The purpose of a pass. */
    public enum Mode {
        TRAINING,
        EVALUATION
    }

    /** Whether the network learns from this pass. */
    public boolean isTraining() {
        return mode == Mode.TRAINING;
    }
}
