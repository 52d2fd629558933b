package dev.medley.plan.efficiency;

import dev.medley.base.strategy.StrategySpec;

/**
 * The learning curve of a job under one strategy, from its first step on.
 *
 * @param strategy with its codec; not open
 * @param workers that took part
 * @param seed of the run
 * @param wallMillis when it ended
 */
public record Lesson(
        StrategySpec strategy, int workers, long seed, long wallMillis, LearningCurve curve) {
    /** Whether both are runs of one strategy, by as many workers, with one seed. */
    public boolean isAgain(Lesson other) {
        return seed == other.seed && workers == other.workers && strategy.equals(other.strategy);
    }

    /** Whether it saw more samples than another. */
    public boolean isLongerThan(Lesson other) {
        return curve.lastSamples() > other.curve.lastSamples();
    }
}
