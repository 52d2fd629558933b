package dev.medley.control.forecast;

import dev.medley.base.job.StrategySpec;

/**
 * How a job learnt under one strategy, from its first step to its last.
 *
 * @param strategy with its codec; not open
 * @param seed of the run
 * @param date of its end, as in 2026-11-21
 */
public record Lesson(StrategySpec strategy, long seed, String date, LearningCurve curve) {
    /** Whether both are runs of one strategy and seed, of which the later one counts. */
    public boolean isAgain(Lesson other) {
        return seed == other.seed && strategy.equals(other.strategy);
    }
}
