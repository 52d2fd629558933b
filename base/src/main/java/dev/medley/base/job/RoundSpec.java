package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

/**
 * How far workers go by themselves before they exchange, and the step that they take together then.
 *
 * @param syncEvery steps of {@code train.batch} samples between two exchanges
 * @param innerBatch samples of one step that a worker takes by itself; 0 for its part of {@code
 *     train.batch}
 * @param outerRate learning rate of the common step along the mean of all changes; 1 with momentum
 *     0 is their average
 * @param outerMomentum Nesterov's momentum of the common step
 */
public record RoundSpec(int syncEvery, int innerBatch, double outerRate, double outerMomentum) {
    /** An exchange in every step. */
    public static final RoundSpec EVERY_STEP = new RoundSpec(1, 0, 1, 0);

    public RoundSpec {
        check(syncEvery >= 1, "strategy.sync_every=%d: at least 1 step", syncEvery);
        check(innerBatch >= 0, "strategy.inner_batch=%d: at least 1 sample", innerBatch);
        check(outerRate > 0, "strategy.outer_lr=%s: above 0", outerRate);
        check(
                outerMomentum >= 0 && outerMomentum < 1,
                "strategy.outer_momentum=%s: from 0 to below 1",
                outerMomentum);
    }

    /** The usual round of a strategy. */
    public static RoundSpec defaults(StrategySpec.Kind kind) {
        return switch (kind) {
            case DATA_PARALLEL, AUTO -> EVERY_STEP;
            case LOCAL_SGD -> new RoundSpec(16, 0, 1, 0);
            case PARAMETER_SERVER, GOSSIP -> new RoundSpec(32, 0, 1, 0);
            case DILOCO, HYBRID -> new RoundSpec(64, 0, 0.7, 0.9);
        };
    }

    /** The same with so many steps between two exchanges. */
    public RoundSpec every(int steps) {
        return new RoundSpec(steps, innerBatch, outerRate, outerMomentum);
    }

    /** The same with steps of so many samples that a worker takes by itself. */
    public RoundSpec inBatchesOf(int samples) {
        check(samples >= 1, "strategy.inner_batch=%d: at least 1 sample", samples);
        return new RoundSpec(syncEvery, samples, outerRate, outerMomentum);
    }

    /** The same with another common step. */
    public RoundSpec outer(double rate, double momentum) {
        return new RoundSpec(syncEvery, innerBatch, rate, momentum);
    }
}
