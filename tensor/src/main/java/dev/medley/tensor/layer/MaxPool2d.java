package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import java.util.List;

/**
 * Takes the largest value of each square window of an image.
 *
 * @param side of a window, in pixels
 * @param stride from one window to the next, in pixels
 * @param padding around the image, in pixels, of which none is the largest
 */
public record MaxPool2d(int side, int stride, int padding) implements Layer {
    /** Windows that lie side by side. */
    public MaxPool2d(int side) {
        this(side, side, 0);
    }

    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return Functional.maxPool2d(x, side, stride, padding);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        return graph.node(
                "MaxPool",
                List.of(x),
                Attribute.list("kernel_shape", side, side),
                Attribute.list("strides", stride, stride),
                Attribute.list("pads", padding, padding, padding, padding));
    }
}
