package dev.medley.benchmarks.training;

import org.jspecify.annotations.Nullable;

/**
 * The measurements of one run, of Medley or of the peer.
 *
 * @param samplesPerSecond in steps after the warm-up; evaluation and start-up left out
 * @param stepMillis mean time of those steps
 * @param secondsToTarget time in steps until the target was reached; null if it was not, or none
 *     was asked for
 * @param metric at the end; null where nothing was evaluated
 * @param wallSeconds of the whole command, start-up and evaluation included
 */
record Measured(
        double samplesPerSecond,
        double stepMillis,
        @Nullable Double secondsToTarget,
        @Nullable Double metric,
        double wallSeconds) {}
