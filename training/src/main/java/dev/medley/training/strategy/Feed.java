package dev.medley.training.strategy;

import dev.medley.base.memory.Batch;

/** Gives a worker's batches of one step, one after another. */
public interface Feed {
    /** The next batch; waits if it is not ready. It is valid until the second call after this. */
    Batch next();

    /** Whether the step can still be applied: where not, nobody needs what is computed for it. */
    boolean isWanted();
}
