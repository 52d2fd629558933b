package dev.medley.hub.service;

import org.jspecify.annotations.Nullable;

/**
 * Says that a job held a machine for a time.
 *
 * @param toEpochS null while it holds it
 * @param why one sentence for its beginning
 */
public record Tenure(
        String machine, long job, double fromEpochS, @Nullable Double toEpochS, String why) {}
