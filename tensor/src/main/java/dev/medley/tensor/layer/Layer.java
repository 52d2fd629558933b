package dev.medley.tensor.layer;

import dev.medley.base.ConfigException;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

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

    /**
     * Adds to {@code graph} what {@link #forward} computes in evaluation, so that the model can be
     * written to an ONNX file. A layer without it can be trained all the same.
     *
     * @throws ConfigException where the layer cannot be written so
     */
    default Value graph(Value x, Graph graph) {
        throw new ConfigException(
                getClass().getName()
                        + ": cannot be written to ONNX: the class has no method graph(Value,"
                        + " Graph), which tells it in ONNX's operators");
    }
}
