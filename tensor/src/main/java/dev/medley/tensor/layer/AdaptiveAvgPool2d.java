package dev.medley.tensor.layer;

import dev.medley.base.ConfigException;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

/**
 * Averages an image over as many windows as give the wanted size.
 *
 * @param height of the result, in pixels
 * @param width of the result, in pixels
 */
public record AdaptiveAvgPool2d(int height, int width) implements Layer {
    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return Functional.adaptiveAvgPool2d(x, height, width);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        ConfigException.check(
                height == 1 && width == 1,
                "an average pool to %d x %d windows cannot be written to ONNX: only to 1 x 1",
                height,
                width);
        return graph.node("GlobalAveragePool", x);
    }
}
