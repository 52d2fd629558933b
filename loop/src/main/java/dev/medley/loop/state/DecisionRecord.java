package dev.medley.loop.state;

import tools.jackson.databind.JsonNode;

/**
 * Tells of something that was decided in a run, with the numbers that it was decided by.
 *
 * @param run the run's number
 * @param atMs when, milliseconds since 1970
 * @param kind what was decided on: {@code retrain}, {@code promote}, {@code drift}
 * @param verdict in a word or two
 * @param why a sentence
 * @param numbers what it was decided by
 */
public record DecisionRecord(
        long run, long atMs, String kind, String verdict, String why, JsonNode numbers) {}
