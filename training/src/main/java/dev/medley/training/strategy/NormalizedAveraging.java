package dev.medley.training.strategy;

import java.util.List;

/**
 * Averages changes of workers that took unlike numbers of steps (FedNova: Wang, Liu, Liang, Joshi,
 * Poor, NeurIPS 2020, arXiv 2007.07481).
 *
 * <p>Rank i changed its parameters by delta_i in H_i steps over samples of weight w_i. A plain mean
 * would favour the data of those who took more steps, since their changes are longer. So each
 * change is divided by its steps first, and the mean is stretched to the usual number of steps:
 *
 * <pre>
 *     D = tau sum(p_i delta_i / H_i),   p_i = w_i / sum(w),   tau = sum(p_i H_i)
 * </pre>
 *
 * With equal H_i that is the mean weighted by p_i. The ranks send delta_i w_i / H_i; all know all
 * w_i from the tail and all H_i from the plan, and divide the sum by sum(w)^2 / sum(w_i H_i).
 */
public final class NormalizedAveraging {
    private NormalizedAveraging() {}

    /** The factor on a rank's change before it is summed. */
    public static double factor(double weight, int steps) {
        return weight / steps;
    }

    /** The divisor of the sum, from weights and steps in order of rank; NaN without weight. */
    public static double divisor(List<Double> weights, List<Integer> steps) {
        double sum = 0;
        double inSteps = 0;
        for (int rank = 0; rank < weights.size(); rank++) {
            sum += weights.get(rank);
            inSteps += weights.get(rank) * steps.get(rank);
        }
        return divisor(sum, inSteps);
    }

    /** The same from sum(w_i) and sum(w_i H_i). */
    public static double divisor(double weight, double weightedSteps) {
        return weight * weight / weightedSteps;
    }
}
