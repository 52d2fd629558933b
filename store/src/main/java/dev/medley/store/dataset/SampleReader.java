package dev.medley.store.dataset;

import dev.medley.store.shard.BatchBuffers;
import dev.medley.store.shard.SampleKey;

/**
 * Reads samples of one split into batches.
 *
 * <p>Thread: an instance belongs to one thread.
 */
interface SampleReader {
    /** Puts a sample into row {@code row}. */
    void read(SampleKey sample, BatchBuffers batch, int row);

    /** Brings a block of samples nearer; does nothing where there are none. */
    default void fetch(long block) {}
}
