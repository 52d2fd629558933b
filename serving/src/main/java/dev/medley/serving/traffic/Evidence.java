package dev.medley.serving.traffic;

import org.jspecify.annotations.Nullable;

/**
 * Holds what is known of a canary.
 *
 * @param windows that were seen
 * @param metric null where callers report none
 */
public record Evidence(
        long windows, Comparison errors, Comparison latency, @Nullable Comparison metric) {}
