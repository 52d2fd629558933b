package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;

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
}
