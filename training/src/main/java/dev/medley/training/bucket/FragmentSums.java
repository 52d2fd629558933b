package dev.medley.training.bucket;

import java.nio.DoubleBuffer;

/**
 * The weights of one fragment over all ranks, which travel behind it. So the division of the sum of
 * their changes does not wait for the end of the round.
 *
 * @param weight of the samples that the changes come of, over all ranks; NaN where the change of
 *     one of them, or the loss behind it, is no finite number
 * @param weightedSteps weight of each rank times its steps, over all ranks
 */
public record FragmentSums(double weight, double weightedSteps) {
    /** Doubles that travel. */
    static final int FIELDS = 2;

    static FragmentSums read(DoubleBuffer from) {
        return new FragmentSums(from.get(0), from.get(1));
    }

    void write(DoubleBuffer to) {
        to.put(0, weight);
        to.put(1, weightedSteps);
    }

    /** Whether there are changes, all of them finite. */
    public boolean isSound() {
        return Double.isFinite(weight);
    }
}
