package dev.medley.data.batch;

import dev.medley.base.memory.Batch;

/**
 * Supplies the batches of consecutive steps, prepared ahead on a thread of their own.
 *
 * <p>Memory is used in turn: a batch stays valid until the <em>second</em> {@link #next} after the
 * one that returned it, so that the caller may hold the last batch while it takes the next. After
 * {@link #close} no batch is valid.
 *
 * <p>Thread: one caller.
 */
public interface BatchStream extends AutoCloseable {
    /** Prepares nothing: for who reads samples otherwise. */
    BatchStream NONE =
            new BatchStream() {
                @Override
                public Batch next() {
                    throw new IllegalStateException("no batch is prepared");
                }

                @Override
                public long stallNs() {
                    return 0;
                }

                @Override
                public void close() {}
            };

    /**
     * The batch of the next step; waits if it is not ready.
     *
     * @throws java.io.UncheckedIOException if the prepared data cannot be read
     * @throws dev.medley.base.ConfigException if a user's own source refuses a sample
     */
    Batch next();

    /** Nanoseconds waited in {@link #next} since the last call of this method. */
    long stallNs();

    /** Stops preparing. */
    @Override
    void close();
}
