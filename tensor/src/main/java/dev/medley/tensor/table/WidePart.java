package dev.medley.tensor.table;

import dev.medley.base.job.Signature.Input;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Predicts linearly from the inputs of a table, beside deep layers that predict the rest (Cheng et
 * al. 2016, "Wide and Deep Learning"). Each category has a weight of its own. All weights begin at
 * 0; the bias is the deep layers'.
 */
public final class WidePart {
    private final List<List<Layer>> layers = new ArrayList<>();

    /** From these inputs to {@code outputs} values. */
    public WidePart(List<Input> inputs, int outputs) {
        for (Input input : inputs) {
            List<Layer> ofInput = new ArrayList<>();
            for (int cardinality : input.cardinalities()) {
                ofInput.add(new Embedding(cardinality, outputs, Initializer.constant(0)));
            }
            if (ofInput.isEmpty()) {
                ofInput.add(new Weights(TabularInput.elements(input), outputs));
            }
            layers.add(ofInput);
        }
    }

    /** Multiplies rows by a matrix. */
    private static final class Weights implements Layer {
        private final Parameter weight;

        Weights(long inputs, long outputs) {
            weight = Parameter.of(Initializer.constant(0), inputs, outputs);
        }

        @Override
        public void declare(Declaration declaration) {
            declaration.parameter("weight", weight);
        }

        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return x.matmul(weight.value());
        }

        @Override
        public Value graph(Value x, Graph graph) {
            return graph.node("MatMul", x, graph.parameter(weight));
        }
    }

    /** Declares the weights. */
    public void declare(Declaration declaration) {
        for (int i = 0; i < layers.size(); i++) {
            for (int column = 0; column < layers.get(i).size(); column++) {
                declaration.layer("wide." + i + "." + column, layers.get(i).get(column));
            }
        }
    }

    /** The sum over all inputs, [samples, outputs]. */
    public Tensor forward(List<Tensor> arrays, Pass pass) {
        Tensor sum = null;
        for (int i = 0; i < layers.size(); i++) {
            Tensor array = arrays.get(i).flattenFrom(1);
            for (int column = 0; column < layers.get(i).size(); column++) {
                Layer layer = layers.get(i).get(column);
                boolean isCode = layer instanceof Embedding;
                Tensor term = layer.forward(isCode ? array.select(1, column) : array, pass);
                sum = sum == null ? term : sum.plus(term);
            }
        }
        return Objects.requireNonNull(sum, "a table has inputs");
    }

    /** The same as part of a graph. */
    public Value graph(List<Value> arrays, Graph graph) {
        Value sum = null;
        for (int i = 0; i < layers.size(); i++) {
            Value array = graph.flattened(arrays.get(i), 1);
            for (int column = 0; column < layers.get(i).size(); column++) {
                Layer layer = layers.get(i).get(column);
                boolean isCode = layer instanceof Embedding;
                Value part = isCode ? TabularInput.column(array, column, graph) : array;
                Value term = layer.graph(part, graph);
                sum = sum == null ? term : graph.node("Add", sum, term);
            }
        }
        return Objects.requireNonNull(sum, "a table has inputs");
    }
}
