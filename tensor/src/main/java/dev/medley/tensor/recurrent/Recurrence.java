package dev.medley.tensor.recurrent;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a stack of memories over [samples, positions, features]: long short-term ones (Hochreiter,
 * Schmidhuber 1997) or gated recurrent units (Cho et al. 2014). It gives the last layer's output at
 * every position. Parameters have PyTorch's names and begin within 1 / sqrt(width).
 */
public final class Recurrence implements Layer {
    private static final int OF_LSTM = 4;
    private static final int OF_GRU = 3;

    private final int gates;
    private final int layers;
    private final int width;
    private final List<Parameter> parameters = new ArrayList<>();

    private Recurrence(int gates, int features, int width, int layers) {
        this.gates = gates;
        this.layers = layers;
        this.width = width;
        Initializer start = Initializer.byFanIn(width);
        long rows = (long) gates * width;
        for (int layer = 0; layer < layers; layer++) {
            parameters.add(Parameter.of(start, rows, layer == 0 ? features : width));
            parameters.add(Parameter.of(start, rows, width));
            parameters.add(Parameter.of(start, rows));
            parameters.add(Parameter.of(start, rows));
        }
    }

    /** {@code layers} long short-term memories of {@code width} cells each. */
    public static Recurrence lstm(int features, int width, int layers) {
        return new Recurrence(OF_LSTM, features, width, layers);
    }

    /** {@code layers} layers of {@code width} gated recurrent units each. */
    public static Recurrence gru(int features, int width, int layers) {
        return new Recurrence(OF_GRU, features, width, layers);
    }

    @Override
    public void declare(Declaration declaration) {
        String[] names = {"weight_ih_l", "weight_hh_l", "bias_ih_l", "bias_hh_l"};
        for (int i = 0; i < parameters.size(); i++) {
            declaration.parameter(names[i % 4] + i / 4, parameters.get(i));
        }
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        List<Tensor> weights = parameters.stream().map(Parameter::value).toList();
        return gates == OF_LSTM
                ? Functional.lstm(x, weights, layers, width)
                : Functional.gru(x, weights, layers, width);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value y = graph.permuted(x, 1, 0, 2);
        for (int layer = 0; layer < layers; layer++) {
            List<Value> arrays = new ArrayList<>();
            for (Parameter parameter : parameters.subList(4 * layer, 4 * layer + 4)) {
                arrays.add(inOrder(graph.parameter(parameter), graph));
            }
            Value biases = graph.joined(arrays.subList(2, 4), 0);
            List<Value> arguments =
                    List.of(
                            y,
                            oneWay(arrays.get(0), graph),
                            oneWay(arrays.get(1), graph),
                            oneWay(biases, graph));
            Attribute size = Attribute.of("hidden_size", width);
            Value read =
                    gates == OF_LSTM
                            ? graph.node("LSTM", arguments, size)
                            : graph.node(
                                    "GRU", arguments, size, Attribute.of("linear_before_reset", 1));
            y = graph.node("Squeeze", read, graph.wholes(1));
        }
        return graph.permuted(y, 1, 0, 2);
    }

    /** PyTorch has the gates in the order i f g o, or r z n; ONNX as i o f c, or z r h. */
    private Value inOrder(Value array, Graph graph) {
        List<Value> parts = graph.nodes("Split", gates, List.of(array), Attribute.of("axis", 0));
        int[] order = gates == OF_LSTM ? new int[] {0, 3, 1, 2} : new int[] {1, 0, 2};
        return graph.joined(Arrays.stream(order).mapToObj(parts::get).toList(), 0);
    }

    private static Value oneWay(Value array, Graph graph) {
        return graph.node("Unsqueeze", array, graph.wholes(0));
    }
}
