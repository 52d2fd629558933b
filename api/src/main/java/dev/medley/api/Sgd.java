package dev.medley.api;

import dev.medley.base.job.OptimizerSpec;

/** Describes the Sgd optimizer with PyTorch's defaults. */
public final class Sgd {
    private Sgd() {}

    /** Sgd at this learning rate. */
    public static OptimizerSpec of(double learningRate) {
        return OptimizerSpec.defaults(OptimizerSpec.Kind.SGD).withLearningRate(learningRate);
    }

    /** SGD with momentum. */
    public static OptimizerSpec withMomentum(double learningRate, double momentum) {
        return new OptimizerSpec(
                OptimizerSpec.Kind.SGD, learningRate, momentum, false, 0.9, 0.999, 1e-8, 0);
    }

    /** SGD with Nesterov's momentum. */
    public static OptimizerSpec nesterov(double learningRate, double momentum) {
        return new OptimizerSpec(
                OptimizerSpec.Kind.SGD, learningRate, momentum, true, 0.9, 0.999, 1e-8, 0);
    }
}
