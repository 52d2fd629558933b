package dev.medley.record.entry;

import java.util.List;

/**
 * Follows a run while it trains. Called by one thread at a time, in order; must return soon and
 * never throw.
 */
public interface RunObserver {
    /** A step was applied. */
    default void step(StepRecord step) {}

    /** An evaluation was made. */
    default void evaluation(EvaluationRecord evaluation) {}

    /** A plan holds from some step. */
    default void plan(PlanRecord plan) {}

    /** A worker is ready. */
    default void worker(WorkerRecord worker) {}

    /** Workers sent so much more to each other. */
    default void links(List<LinkTotals> sent) {}

    /** Something else happened. */
    default void event(RunEvent event) {}
}
