package dev.medley.tensor.layer;

import dev.medley.tensor.Tensor;

/** Merges all dimensions but the samples' into one. */
public record Flatten() implements Layer {
    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return x.flattenFrom(1);
    }
}
