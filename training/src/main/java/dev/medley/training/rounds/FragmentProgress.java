package dev.medley.training.rounds;

import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.FragmentSums;
import dev.medley.training.strategy.NormalizedAveraging;
import java.util.Arrays;

/**
 * Adds up what a worker computed since each fragment left last, in this round or in the one before.
 * Its next change comes of that. Each inner step counts once for each fragment.
 */
final class FragmentProgress {
    private final double[] weights;
    private final int[] steps;
    private final double[] weightsBefore;
    private final int[] stepsBefore;

    FragmentProgress(int fragments) {
        weights = new double[fragments];
        steps = new int[fragments];
        weightsBefore = new double[fragments];
        stepsBefore = new int[fragments];
    }

    /** Nothing was computed yet. */
    void beginAnew() {
        Arrays.fill(weights, 0);
        Arrays.fill(steps, 0);
    }

    /** A round begins. */
    void begin() {
        System.arraycopy(weights, 0, weightsBefore, 0, weights.length);
        System.arraycopy(steps, 0, stepsBefore, 0, steps.length);
    }

    /** An inner step was taken. */
    void took(StepLoss loss) {
        for (int fragment = 0; fragment < steps.length; fragment++) {
            weights[fragment] += loss.weight();
            steps[fragment]++;
        }
    }

    /** The factor on the change of a fragment before it is summed. */
    double factor(int fragment) {
        return steps[fragment] == 0
                ? 0
                : NormalizedAveraging.factor(weights[fragment], steps[fragment]);
    }

    /** The fragment leaves; what is said of it. */
    FragmentSums left(int fragment) {
        FragmentSums own = new FragmentSums(weights[fragment], weights[fragment] * steps[fragment]);
        weights[fragment] = 0;
        steps[fragment] = 0;
        return own;
    }

    /** All is as it was when the round began. */
    void discarded() {
        System.arraycopy(weightsBefore, 0, weights, 0, weights.length);
        System.arraycopy(stepsBefore, 0, steps, 0, steps.length);
    }
}
