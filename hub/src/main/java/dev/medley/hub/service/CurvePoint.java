package dev.medley.hub.service;

import org.jspecify.annotations.Nullable;

/**
 * Holds what was known of a run's learning after a step.
 *
 * @param seconds in which the job held machines, so far
 * @param loss of training; null where none was computed
 * @param validationLoss null where nothing was evaluated after this step
 */
public record CurvePoint(
        long step, double seconds, @Nullable Double loss, @Nullable Double validationLoss) {}
