package dev.medley.training.strategy;

import dev.medley.base.memory.Batch;
import dev.medley.tensor.model.StepLoss;

/**
 * The work that a worker has done of its part of a round.
 *
 * @param loss of its samples
 * @param steps that it took by itself
 * @param samples of them
 */
public record WorkDone(StepLoss loss, int steps, long samples) {
    public static final WorkDone NOTHING = new WorkDone(StepLoss.NONE, 0, 0);

    /** After one more step. */
    public WorkDone plus(StepLoss more, Batch batch) {
        return new WorkDone(loss.plus(more), steps + 1, samples + batch.samples());
    }

    /** Whether the loss is a number so far. */
    public boolean isSound() {
        return Double.isFinite(loss.lossSum());
    }

    /** Steps times the weight of their samples. */
    public double weightedSteps() {
        return loss.weight() * steps;
    }

    /** The factor on its change before it is summed. */
    public double factor() {
        return steps == 0 ? 0 : NormalizedAveraging.factor(loss.weight(), steps);
    }
}
