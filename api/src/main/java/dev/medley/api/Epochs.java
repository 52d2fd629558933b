package dev.medley.api;

import dev.medley.base.job.TrainSpec.Budget;

/** Makes a training budget of a number of epochs. */
public final class Epochs {
    private Epochs() {}

    /** So many passes over the training samples; parts of one are allowed. */
    public static Budget of(double epochs) {
        return Budget.ofEpochs(epochs);
    }
}
