package dev.medley.serving.traffic;

import org.jspecify.annotations.Nullable;

/**
 * Says what came of an answer, as a caller reports it.
 *
 * @param id of the request; null where a key or a version is named
 * @param key of the caller
 * @param version that answered, where the caller knows it
 */
public record CallerOutcome(
        @Nullable String id, @Nullable String key, @Nullable Integer version, double value) {}
