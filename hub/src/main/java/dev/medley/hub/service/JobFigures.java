package dev.medley.hub.service;

import org.jspecify.annotations.Nullable;

/**
 * Holds what is measured of a job, and what is expected.
 *
 * @param startedEpochS first start; null before
 * @param endedEpochS null before
 * @param doneFraction of its work, from 0 to 1
 * @param samplesPerSecond now, over all of its machines; 0 while it waits
 * @param remainingS expected until its end; null where unknown
 * @param cost so far in the fleet's currency
 * @param loss last known of training; null before
 */
public record JobFigures(
        double submittedEpochS,
        @Nullable Double startedEpochS,
        @Nullable Double endedEpochS,
        double doneFraction,
        double samplesPerSecond,
        @Nullable Double remainingS,
        double cost,
        @Nullable Double loss) {}
