package dev.medley.tensor.table;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;

/**
 * Predicts what the members of an ensemble predict in the mean: of classes the mean of their
 * probabilities, given as logits again, and of a number its mean.
 */
public final class MeanPrediction {
    private MeanPrediction() {}

    /** [samples, outputs] of [samples, members, outputs]. */
    public static Tensor of(Tensor outputs, TargetKind kind) {
        double members = outputs.size(1);
        return switch (kind) {
            case BINARY ->
                    // The logit of a mean is log(sum p) - log(sum (1 - p)).
                    logSum(Functional.logSigmoid(outputs))
                            .minus(logSum(Functional.logSigmoid(outputs.times(-1))));
            case CLASSES ->
                    logSum(Functional.logSoftmax(outputs, 2)).plus(-StrictMath.log(members));
            case VALUE, VALUES -> outputs.sum(1).times(1 / members);
            case TOKENS, NONE -> throw new IllegalStateException("no ensemble predicts " + kind);
        };
    }

    private static Tensor logSum(Tensor logs) {
        return Functional.logSumExp(logs, 1);
    }
}
