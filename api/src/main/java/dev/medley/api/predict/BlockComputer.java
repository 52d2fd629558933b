package dev.medley.api.predict;

import java.util.List;
import java.util.concurrent.Future;

/**
 * Computes a model's outputs for blocks of samples, several at once.
 *
 * <p>Thread: one caller.
 */
interface BlockComputer extends AutoCloseable {
    /**
     * Begins with samples {@code from} to before {@code to}; a row of outputs for each comes, in
     * their order.
     */
    Future<List<float[]>> begin(long from, long to);

    /** How many blocks are computed at the same time. */
    int atOnce();

    /** Called once a second while a block is waited for: ends what takes too long. */
    default void look() {}

    /** Stops computing. */
    @Override
    void close();
}
