package dev.medley.tensor.optimizer;

import dev.medley.base.job.OptimizerSpec;

/**
 * One application of a rule to one run.
 *
 * @param spec the rule
 * @param run where
 * @param learningRate of this step
 * @param divisor of the gradient, the clip included
 * @param step how many updates there are with this one
 * @param varianceSteps of how many of them Adam's variance is, this one perhaps among them
 */
record Update(
        OptimizerSpec spec,
        Run run,
        double learningRate,
        double divisor,
        long step,
        long varianceSteps) {
    /** Whether Adam's variance stays as it is. */
    boolean keepsVariance() {
        return step > varianceSteps;
    }
}
