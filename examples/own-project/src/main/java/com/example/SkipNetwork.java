package com.example;

import dev.medley.base.job.Signature;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Residual;
import dev.medley.tensor.layer.Sequential;
import dev.medley.tensor.model.Architecture;
import dev.medley.tensor.model.Network;
import java.util.Map;

/** Builds a network of one's own: a perceptron whose middle layers are skipped by a short cut. */
public final class SkipNetwork implements Architecture {
    private final int width;

    /** Options come from {@code Models.custom(...)} or from the job file. */
    public SkipNetwork(Map<String, String> options) {
        width = Integer.parseInt(options.getOrDefault("width", "32"));
    }

    @Override
    public Network build(Signature signature) {
        int columns = signature.inputs().get(0).shape().get(0);
        return Network.of(
                Sequential.of(
                        new Linear(columns, width),
                        Activation.RELU,
                        Residual.around(
                                Sequential.of(
                                        new Linear(width, width),
                                        Activation.RELU,
                                        new Linear(width, width))),
                        Activation.RELU,
                        new Linear(width, signature.target().outputs())));
    }
}
