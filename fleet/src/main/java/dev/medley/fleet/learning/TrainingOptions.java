package dev.medley.fleet.learning;

import dev.medley.base.ConfigException;

/**
 * The settings of a training of exponents.
 *
 * @param seed of weights, exploration and draws from memory
 * @param episodes to learn from
 * @param validations episodes on which the curve is measured, and the best weights are chosen
 * @param validateEvery episodes between two points of the curve
 * @param decideEveryS seconds from one decision to the next in training
 * @param isTabular whether a table is learnt instead of a network
 */
public record TrainingOptions(
        long seed,
        int episodes,
        int validations,
        int validateEvery,
        double decideEveryS,
        boolean isTabular,
        DqnOptions dqn) {
    public TrainingOptions {
        ConfigException.check(
                episodes >= 1 && validations >= 1 && validateEvery >= 1,
                "%d episodes, %d validations every %d; give 1 or more of each",
                episodes,
                validations,
                validateEvery);
        ConfigException.check(
                decideEveryS > 0, "a decision every %s s; give a number above 0", decideEveryS);
    }

    /** Share of decisions that are drawn in an episode: from all to one in twenty. */
    double exploration(int episode) {
        double done = (double) episode / Math.max(1, episodes * 6 / 10);
        return Math.max(0.05, 1 - 0.95 * done);
    }
}
