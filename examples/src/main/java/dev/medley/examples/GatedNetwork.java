package dev.medley.examples;

import dev.medley.base.job.Signature;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Sequential;
import dev.medley.tensor.model.Architecture;
import dev.medley.tensor.model.Network;
import java.util.Map;

/** Builds a perceptron that learns which inputs count. */
public final class GatedNetwork implements Architecture {
    private final int width;

    /** Options come from the job file. */
    public GatedNetwork(Map<String, String> options) {
        width = Integer.parseInt(options.getOrDefault("width", "32"));
    }

    @Override
    public Network build(Signature signature) {
        int columns = signature.inputs().get(0).shape().get(0);
        return Network.of(
                Sequential.of(
                        new Gate(columns),
                        new Linear(columns, width),
                        Activation.RELU,
                        new Linear(width, signature.target().outputs())));
    }
}
