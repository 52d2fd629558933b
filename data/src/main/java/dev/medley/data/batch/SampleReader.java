package dev.medley.data.batch;

import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.SampleKey;

/**
 * Reads samples of one split into batches.
 *
 * <p>Thread: an instance belongs to one thread.
 */
public interface SampleReader {
    /** Puts a sample into row {@code row}. */
    void read(SampleKey sample, BatchBuffers batch, int row);

    /** Brings a block of samples nearer; does nothing where there are none. */
    default void fetch(long block) {}
}
