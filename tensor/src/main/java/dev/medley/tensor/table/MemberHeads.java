package dev.medley.tensor.table;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;

/** Gives each member of an ensemble a linear layer of its own over [samples, members, inputs]. */
public final class MemberHeads implements Layer {
    private final Parameter weight;
    private final Parameter bias;

    /** To {@code outputs} values a member. */
    public MemberHeads(int members, long inputs, long outputs) {
        weight = Parameter.of(Initializer.byFanIn(inputs), members, inputs, outputs);
        bias = Parameter.of(Initializer.byFanIn(inputs), members, outputs);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
        declaration.parameter("bias", bias);
    }

    /** [samples, members, outputs]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor ofMembers = x.transpose(0, 1).matmul(weight.value());
        return ofMembers.transpose(0, 1).plus(bias.value());
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value ofMembers = graph.node("MatMul", graph.permuted(x, 1, 0, 2), graph.parameter(weight));
        return graph.node("Add", graph.permuted(ofMembers, 1, 0, 2), graph.parameter(bias));
    }
}
