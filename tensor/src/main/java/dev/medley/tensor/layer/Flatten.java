package dev.medley.tensor.layer;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

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

    @Override
    public Value graph(Value x, Graph graph) {
        return graph.flattened(x, 1);
    }
}
