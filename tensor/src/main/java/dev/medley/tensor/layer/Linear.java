package dev.medley.tensor.layer;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

/** Applies a fully connected layer: x W^T + b over the last dimension. */
public final class Linear implements Layer {
    private final Parameter weight;
    private final Parameter bias;

    /** From {@code inputs} to {@code outputs} values, begun as PyTorch begins it. */
    public Linear(long inputs, long outputs) {
        weight = Parameter.of(Initializer.byFanIn(inputs), outputs, inputs);
        bias = Parameter.of(Initializer.byFanIn(inputs), outputs);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
        declaration.parameter("bias", bias);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return pass.products().linear(x, weight, bias);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value turned = graph.permuted(graph.parameter(weight), 1, 0);
        return graph.node("Add", graph.node("MatMul", x, turned), graph.parameter(bias));
    }
}
