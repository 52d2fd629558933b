package dev.medley.loop.state;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Tells of one stage of a run.
 *
 * @param position its place in the run, from 0 on
 * @param name what it does, as {@code sync customers}
 * @param beganMs when it began, milliseconds since 1970
 * @param endedMs when it ended; null while it works, or where it was cut off
 * @param outcome how it ended; {@link StageOutcome#RUNNING} where it has not
 * @param why a sentence
 * @param result what later stages and readers need of it
 */
public record StageRecord(
        int position,
        String name,
        long beganMs,
        @Nullable Long endedMs,
        StageOutcome outcome,
        String why,
        JsonNode result) {}
