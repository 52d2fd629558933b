package dev.medley.tensor.table;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;

/**
 * Applies one linear layer for all members of an ensemble. Each has factors of its own on inputs
 * and outputs, and a bias of its own: s_i * (W (r_i * x)) + b_i (BatchEnsemble: Wen, Tran and Ba
 * 2020; as in TabM: Gorishniy, Kotelnikov and Babenko 2025, arXiv 2410.24210).
 */
public final class AdaptedLinear implements Layer {
    private final Parameter weight;
    private final Parameter input;
    private final Parameter output;
    private final Parameter bias;
    private final boolean isFirst;

    private AdaptedLinear(
            int members, long inputs, long outputs, Initializer factors, boolean isFirst) {
        this.isFirst = isFirst;
        weight = Parameter.of(Initializer.byFanIn(inputs), outputs, inputs);
        input = Parameter.of(factors, members, inputs);
        output = Parameter.of(Initializer.constant(1), members, outputs);
        bias = Parameter.of(Initializer.byFanIn(inputs), members, outputs);
    }

    /** Before all others, from [samples, inputs]: its factors are -1 or 1, so members differ. */
    public static AdaptedLinear first(int members, long inputs, long outputs) {
        return new AdaptedLinear(members, inputs, outputs, Initializer.sign(), true);
    }

    /** From [samples, members, inputs]; its factors begin at 1. */
    public static AdaptedLinear next(int members, long inputs, long outputs) {
        return new AdaptedLinear(members, inputs, outputs, Initializer.constant(1), false);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
        declaration.parameter("input", input);
        declaration.parameter("output", output);
        declaration.parameter("bias", bias);
    }

    /** [samples, members, outputs]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor ofMembers = x.rank() == 2 ? x.reshape(x.size(0), 1, x.size(1)) : x;
        Tensor product = Functional.linear(ofMembers.times(input.value()), weight.value(), null);
        return product.times(output.value()).plus(bias.value());
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value ofMembers = isFirst ? graph.node("Unsqueeze", x, graph.wholes(1)) : x;
        Value scaled = graph.node("Mul", ofMembers, graph.parameter(input));
        Value turned = graph.permuted(graph.parameter(weight), 1, 0);
        Value product = graph.node("MatMul", scaled, turned);
        Value own = graph.node("Mul", product, graph.parameter(output));
        return graph.node("Add", own, graph.parameter(bias));
    }
}
