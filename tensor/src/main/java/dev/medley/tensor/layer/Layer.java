package dev.medley.tensor.layer;

import dev.medley.tensor.Tensor;

/**
 * A block of a network. It declares its parameters once; they are then laid out in the model's flat
 * buffer, and {@link Parameter#value()} gives the view. A layer keeps no state of its own between
 * passes.
 *
 * <pre>{@code
 * final class Scale implements Layer {
 *     private final Parameter factor = Parameter.of(Initializer.constant(1), 1);
 *
 *     public void declare(Declaration declaration) {
 *         declaration.parameter("factor", factor);
 *     }
 *
 *     public Tensor forward(Tensor x, Pass pass) {
 *         return x.times(factor.value());
 *     }
 * }
 * }</pre>
 */
public interface Layer {
    /** Declares parameters, statistics and inner layers, in the order of their use. */
    void declare(Declaration declaration);

    /** The block's output; the first dimension of {@code x} is the sample. */
    Tensor forward(Tensor x, Pass pass);
}
