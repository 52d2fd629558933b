package dev.medley.tensor.model;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import dev.medley.tensor.table.AdaptedLinear;
import dev.medley.tensor.table.MeanPrediction;
import dev.medley.tensor.table.MemberHeads;
import dev.medley.tensor.table.TabularInput;
import dev.medley.tensor.table.WidePart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network of layers over a row of numbers. The layers' names are their indices, as in PyTorch's
 * Sequential.
 *
 * @param wide is added to the layers' outputs; null for none
 * @param members networks that the layers are; 1 for one
 * @param kind of what is predicted
 */
record TabularNetwork(
        TabularInput input,
        Sequential layers,
        @Nullable WidePart wide,
        int members,
        TargetKind kind)
        implements Network {
    /** Layers as {@code spec} has them, for one value or class a sample. */
    static TabularNetwork of(ModelSpec.Mlp spec, Signature signature) {
        TabularInput input = new TabularInput(signature.inputs(), spec.numeric(), spec.embed());
        int outputs = signature.target().outputs();
        int members = Math.max(1, spec.ensemble());
        List<Layer> layers = new ArrayList<>();
        long width = input.width();
        for (int hidden : spec.hidden()) {
            layers.add(
                    members == 1
                            ? new Linear(width, hidden)
                            : layers.isEmpty()
                                    ? AdaptedLinear.first(members, width, hidden)
                                    : AdaptedLinear.next(members, width, hidden));
            layers.add(activation(spec.activation()));
            if (spec.dropout() > 0) {
                layers.add(new Dropout(spec.dropout()));
            }
            width = hidden;
        }
        layers.add(
                members == 1
                        ? new Linear(width, outputs)
                        : new MemberHeads(members, width, outputs));
        return new TabularNetwork(
                input,
                Sequential.of(layers),
                spec.wide() ? new WidePart(signature.inputs(), outputs) : null,
                members,
                signature.target().kind());
    }

    private static Layer activation(ModelSpec.Activation activation) {
        return switch (activation) {
            case RELU -> Activation.RELU;
            case GELU -> Activation.GELU;
            case TANH -> Activation.TANH;
        };
    }

    @Override
    public void declare(Declaration declaration) {
        input.declare(declaration);
        if (wide != null) {
            wide.declare(declaration);
        }
        layers.declare(declaration);
    }

    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        Tensor outputs = layers.forward(input.join(inputs, pass), pass);
        if (wide != null) {
            Tensor linear = wide.forward(inputs, pass);
            outputs =
                    outputs.plus(
                            members == 1
                                    ? linear
                                    : linear.reshape(linear.size(0), 1, linear.size(1)));
        }
        return members == 1 || pass.isTraining() ? outputs : MeanPrediction.of(outputs, kind);
    }

    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        Value outputs = layers.graph(input.graph(inputs, graph), graph);
        if (wide != null) {
            Value linear = wide.graph(inputs, graph);
            Value ofAll = members == 1 ? linear : graph.node("Unsqueeze", linear, graph.wholes(1));
            outputs = graph.node("Add", outputs, ofAll);
        }
        return members == 1 ? outputs : MeanPrediction.graph(outputs, kind, members, graph);
    }
}
