package dev.medley.api;

import dev.medley.base.job.OptimizerSpec;

/** Describes the RmsProp optimizer with PyTorch's defaults. */
public final class RmsProp {
    private RmsProp() {}

    /** RmsProp at this learning rate. */
    public static OptimizerSpec of(double learningRate) {
        return OptimizerSpec.defaults(OptimizerSpec.Kind.RMSPROP).withLearningRate(learningRate);
    }
}
