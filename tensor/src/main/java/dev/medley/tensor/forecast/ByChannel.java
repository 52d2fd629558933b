package dev.medley.tensor.forecast;

import dev.medley.tensor.Tensor;
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
}
