package dev.medley.loop.state;

import org.jspecify.annotations.Nullable;

/**
 * Tells of one run of a loop.
 *
 * @param number counts the loop's runs, from 1 on
 * @param cause why it was begun: {@code by hand}, {@code schedule}, {@code backfill}
 * @param asOfMs what was known at this time is what it works with, milliseconds since 1970
 * @param beganMs when it began first, however often it was taken up
 * @param endedMs when it ended; null while it works, or where it was cut off
 * @param outcome how it ended
 * @param why a sentence
 */
public record LoopRun(
        long number,
        String cause,
        long asOfMs,
        long beganMs,
        @Nullable Long endedMs,
        StageOutcome outcome,
        String why) {}
