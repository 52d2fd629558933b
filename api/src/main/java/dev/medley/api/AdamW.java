package dev.medley.api;

import dev.medley.base.job.OptimizerSpec;

/** Describes the AdamW optimizer with PyTorch's defaults. */
public final class AdamW {
    private AdamW() {}

    /** AdamW at this learning rate. */
    public static OptimizerSpec of(double learningRate) {
        return OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW).withLearningRate(learningRate);
    }
}
