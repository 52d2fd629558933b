package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

/** Gives a learned row for each index; rows begin as draws of a standard normal distribution. */
public final class Embedding implements Layer {
    private final Parameter weight;

    /** {@code count} rows of {@code width} values. */
    public Embedding(long count, long width) {
        this(count, width, Initializer.normal(1));
    }

    /** Rows that begin otherwise. */
    public Embedding(long count, long width, Initializer initializer) {
        weight = Parameter.of(initializer, count, width);
    }

    /** All rows, [count, width]. */
    public Tensor rows() {
        return weight.value();
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
    }

    /** Rows of INT64 indices, with one dimension more than {@code x}. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return Functional.embedding(weight.value(), x);
    }

    /** All rows. */
    public Value rows(Graph graph) {
        return graph.parameter(weight);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        return graph.node("Gather", rows(graph), x);
    }
}
