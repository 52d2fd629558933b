package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;

/**
 * Takes the largest value of each square window of an image; windows do not overlap.
 *
 * @param side of a window, in pixels
 */
public record MaxPool2d(int side) implements Layer {
    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return Functional.maxPool2d(x, side, side);
    }
}
