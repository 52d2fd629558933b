package dev.medley.fleet.cost.replay;

/**
 * Holds one job under one policy, beside the clairvoyant optimum.
 *
 * @param firstStep of the log in which it began
 */
public record SpotRow(
        String market,
        double lengthS,
        double slack,
        int firstStep,
        String policy,
        ReplayOutcome outcome,
        double optimum) {
    /** What it cost over what it would have cost at least. */
    public double overOptimum() {
        return outcome.cost() / optimum;
    }
}
