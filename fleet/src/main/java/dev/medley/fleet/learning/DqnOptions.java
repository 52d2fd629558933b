package dev.medley.fleet.learning;

import dev.medley.base.ConfigException;

/**
 * The settings of a double DQN.
 *
 * @param width of both hidden layers
 * @param learningRate of Adam
 * @param batch transitions of one update
 * @param targetEvery updates between copies of the network into its target
 * @param capacity of the replay memory, in transitions
 * @param returnSteps decisions whose rewards a return counts before it is bootstrapped
 * @param discount of one decision
 */
public record DqnOptions(
        int width,
        double learningRate,
        int batch,
        int targetEvery,
        int capacity,
        int returnSteps,
        double discount) {
    /** Two layers of 64, five-step returns, a horizon of 48 decisions. */
    public static final DqnOptions DEFAULTS =
            new DqnOptions(64, 5e-4, 64, 250, 50_000, 5, 1 - 1.0 / 48);

    public DqnOptions {
        ConfigException.check(width >= 1, "a network's width is %d; give 1 or more", width);
        ConfigException.check(
                learningRate > 0, "a learning rate is %s; give a number above 0", learningRate);
        ConfigException.check(
                batch >= 1 && targetEvery >= 1 && capacity >= batch && returnSteps >= 1,
                "batch %d, target every %d, capacity %d, steps %d; give counts of 1 or more, and a"
                        + " memory that holds a batch",
                batch,
                targetEvery,
                capacity,
                returnSteps);
        ConfigException.check(
                discount > 0 && discount < 1,
                "a discount is %s; give a number between 0 and 1",
                discount);
    }
}
