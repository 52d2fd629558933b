package dev.medley.training.strategy;

import dev.medley.base.memory.Batch;
import java.util.function.Consumer;

/** Reads training samples as they lie, for those who keep their own from step to step. */
public interface OwnRows {
    /** How many there are, of all workers. */
    long count();

    /** Gives those from one index to before another, in batches that are valid until the next. */
    void between(long from, long to, Consumer<Batch> taker);
}
