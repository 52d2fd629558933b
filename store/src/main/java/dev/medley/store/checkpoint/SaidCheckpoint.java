package dev.medley.store.checkpoint;

import tools.jackson.databind.JsonNode;

/**
 * Holds what the newest checkpoint says of itself, whose arrays nobody has read.
 *
 * @param step last applied
 * @param epoch of the group that applied it
 * @param extra as offered
 */
public record SaidCheckpoint(long step, int epoch, JsonNode extra) {}
