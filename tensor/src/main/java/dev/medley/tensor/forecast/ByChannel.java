package dev.medley.tensor.forecast;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;

/**
 * Forecasts every channel of a window by itself and all with the same parameters, as linear
 * baselines (Zeng et al. 2023) and PatchTST (Nie et al. 2023) do.
 *
 * @param body from [sequences, look-back] to [sequences, horizon]
 */
public record ByChannel(Layer body) implements Layer {
    @Override
    public void declare(Declaration declaration) {
        body.declare(declaration);
    }

    /** [samples, horizon * channels] of windows [samples, look-back, channels]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        long samples = x.size(0);
        long channels = x.size(2);
        Tensor rows = x.transpose(1, 2).reshape(samples * channels, x.size(1));
        Tensor next = body.forward(rows, pass);
        return next.view(samples, channels, next.size(1)).transpose(1, 2).reshape(samples, -1);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value turned = graph.permuted(x, 0, 2, 1);
        Value rows = graph.reshaped(turned, graph.wholes(-1), graph.length(x, 1));
        Value next = body.graph(rows, graph);
        Value ofChannels =
                graph.reshaped(next, graph.length(x, 0), graph.length(x, 2), graph.wholes(-1));
        return graph.flattened(graph.permuted(ofChannels, 0, 2, 1), 1);
    }
}
