package dev.medley.plan.codec;

import dev.medley.base.route.SumCost;

/**
 * Computes the part of a sum that backward does not hide (Cannikin: Nie et al. 2024). Backward is
 * taken for two thirds of compute: when it has come through the first bucket, sums begin to hide
 * behind it; the last bucket has nothing to hide behind.
 */
public final class Overlap {
    private static final double FORWARD_PART = 1.0 / 3;
    static final double BACKWARD_PART = 2.0 / 3;

    private Overlap() {}

    /**
     * Nanoseconds of a step in which nobody computes.
     *
     * @param computeNs of the step
     * @param sum of all parameters
     * @param last the sum of the last bucket alone
     */
    public static double seenNs(double computeNs, SumCost sum, SumCost last, ModelFacts facts) {
        double firstBucket = (double) facts.bucketBytes() / facts.parameterBytes();
        double begunNs = computeNs * (FORWARD_PART + BACKWARD_PART * firstBucket);
        return Math.max(last.ns(), begunNs + sum.ns() - computeNs);
    }
}
