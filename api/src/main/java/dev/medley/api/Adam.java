package dev.medley.api;

import dev.medley.base.job.OptimizerSpec;

/** Describes the Adam optimizer with PyTorch's defaults. */
public final class Adam {
    private Adam() {}

    /** Adam at this learning rate. */
    public static OptimizerSpec of(double learningRate) {
        return OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM).withLearningRate(learningRate);
    }
}
