package dev.medley.spark.cluster;

import java.util.Optional;

/**
 * Knows what the manager of a cluster says of executors that do not begin.
 *
 * <p>Thread: any.
 */
public interface ExecutorWatch extends AutoCloseable {
    /** Where nobody tells. */
    ExecutorWatch NONE = new ExecutorWatch() {};

    /** Why none of them will begin, in a sentence; empty where that is not known. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /** What the next one waits for, in a sentence; empty where that is not known. */
    default Optional<String> waiting() {
        return Optional.empty();
    }

    @Override
    default void close() {}
}
