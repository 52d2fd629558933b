package dev.medley.tensor.recurrent;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
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
}
