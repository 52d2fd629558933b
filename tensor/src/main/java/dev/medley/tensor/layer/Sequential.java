package dev.medley.tensor.layer;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import java.util.List;

/**
 * Applies layers one after another; they are named by their index. The output of a layer is freed
 * as soon as the next one has answered.
 */
public final class Sequential implements Layer {
    private final List<Layer> layers;

    private Sequential(List<Layer> layers) {
        this.layers = List.copyOf(layers);
    }

    /** The layers in order. */
    public static Sequential of(Layer... layers) {
        return new Sequential(List.of(layers));
    }

    /** The layers in order. */
    public static Sequential of(List<? extends Layer> layers) {
        return new Sequential(List.copyOf(layers));
    }

    @Override
    public void declare(Declaration declaration) {
        for (int i = 0; i < layers.size(); i++) {
            declaration.layer(Integer.toString(i), layers.get(i));
        }
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor y = x;
        for (Layer layer : layers) {
            Tensor next = layer.forward(y, pass);
            if (y != x && y != next) {
                y.discard();
            }
            y = next;
        }
        return y;
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value y = x;
        for (Layer layer : layers) {
            y = layer.graph(y, graph);
        }
        return y;
    }
}
