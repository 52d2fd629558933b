package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import java.util.List;

/** Normalises over the last dimension, then scales and shifts (Ba, Kiros, Hinton 2016). */
public final class LayerNorm implements Layer {
    private static final double EPSILON = 1e-5;

    private final Parameter weight;
    private final Parameter bias;
    private final double epsilon;

    /** Over the last dimension of length {@code width}. */
    public LayerNorm(long width) {
        this(width, EPSILON);
    }

    /** With another {@code epsilon} beside the variance. */
    public LayerNorm(long width, double epsilon) {
        this.epsilon = epsilon;
        weight = Parameter.of(Initializer.constant(1), width);
        bias = Parameter.of(Initializer.constant(0), width);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("weight", weight);
        declaration.parameter("bias", bias);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return Functional.layerNorm(x, weight.value(), bias.value(), epsilon);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        return graph.node(
                "LayerNormalization",
                List.of(x, graph.parameter(weight), graph.parameter(bias)),
                Attribute.of("axis", -1),
                Attribute.of("epsilon", EPSILON));
    }
}
