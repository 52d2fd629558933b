package dev.medley.store.checkpoint;

import tools.jackson.databind.JsonNode;

/**
 * A checkpoint as its manifest reports it, with its arrays still unread.
 *
 * @param step last applied
 * @param epoch of the group that applied it
 * @param extra as offered
 */
public record CheckpointSummary(long step, int epoch, JsonNode extra) {}
