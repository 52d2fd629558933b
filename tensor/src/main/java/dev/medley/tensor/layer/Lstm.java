package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a stack of long short-term memories (Hochreiter, Schmidhuber 1997) over [samples, positions,
 * features]. It gives the last layer's output at every position.
 */
public final class Lstm implements Layer {
    private final int layers;
    private final int width;
    private final List<Parameter> parameters = new ArrayList<>();

    /** {@code layers} memories of {@code width} cells each, begun within 1 / sqrt(width). */
    public Lstm(int features, int width, int layers) {
        this.layers = layers;
        this.width = width;
        Initializer start = Initializer.byFanIn(width);
        for (int layer = 0; layer < layers; layer++) {
            parameters.add(Parameter.of(start, 4L * width, layer == 0 ? features : width));
            parameters.add(Parameter.of(start, 4L * width, width));
            parameters.add(Parameter.of(start, 4L * width));
            parameters.add(Parameter.of(start, 4L * width));
        }
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
        return Functional.lstm(x, weights, layers, width);
    }
}
