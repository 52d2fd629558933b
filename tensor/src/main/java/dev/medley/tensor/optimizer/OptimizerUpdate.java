package dev.medley.tensor.optimizer;

import dev.medley.base.job.OptimizerSpec;

/**
 * The application of a rule to one run of parameters.
 *
 * @param spec the rule
 * @param run the parameters that it moves
 * @param learningRate of this step
 * @param divisor of the gradient, the clip included
 * @param step number of updates, this one included
 * @param varianceSteps number of updates that Adam's variance has learnt from, this one perhaps
 *     among them
 */
record OptimizerUpdate(
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
