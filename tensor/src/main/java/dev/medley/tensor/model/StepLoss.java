package dev.medley.tensor.model;

/**
 * The loss of one worker's part of a step, as a sum and the weight to divide by.
 *
 * @param lossSum over samples or tokens
 * @param weight how many count: divide by it, summed over workers, for the mean
 */
public record StepLoss(double lossSum, double weight) {
    /** Of an empty share. */
    public static final StepLoss NONE = new StepLoss(0, 0);

    /** This and another micro-batch. */
    public StepLoss plus(StepLoss other) {
        return new StepLoss(lossSum + other.lossSum, weight + other.weight);
    }
}
