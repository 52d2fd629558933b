package dev.medley.connect.snapshot;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Describes rows of a sync that was cut off, kept so that the next one need not read them again.
 *
 * @param afterSyncs how many syncs had come to their end when it began
 * @param condition under which it read, in words of the sync's own; under others its rows do not
 *     count
 * @param resume from where the source goes on
 * @param parts staged rows in order
 */
public record PendingSync(
        long afterSyncs, JsonNode condition, JsonNode resume, List<SnapshotPart> parts) {
    public PendingSync {
        parts = List.copyOf(parts);
    }
}
