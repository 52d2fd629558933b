package dev.medley.tensor.forecast;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;

/**
 * Forecasts every channel of a window by itself and all with the same parameters, normalised by
 * {@link InstanceNorm}: what a linear layer needs to be a strong baseline (Zeng et al. 2023; Li et
 * al. 2023), and what PatchTST does (Nie et al. 2023).
 *
 * @param body from [sequences, look-back] to [sequences, horizon]
 */
public record ChannelForecast(Layer body) implements Layer {
    @Override
    public void declare(Declaration declaration) {
        declaration.layer("body", body);
    }

    /** [samples, horizon * channels] of windows [samples, look-back, channels]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        long samples = x.size(0);
        long channels = x.size(2);
        InstanceNorm norm = InstanceNorm.of(x);
        Tensor rows = norm.normalised(x).transpose(1, 2).reshape(samples * channels, x.size(1));
        Tensor next = body.forward(rows, pass);
        Tensor forecasts = next.view(samples, channels, next.size(1)).transpose(1, 2);
        return norm.restored(forecasts).reshape(samples, -1);
    }
}
