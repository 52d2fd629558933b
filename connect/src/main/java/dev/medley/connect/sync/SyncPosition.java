package dev.medley.connect.sync;

import dev.medley.base.Json;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.table.TableSchema;
import tools.jackson.databind.JsonNode;

/**
 * Remembers under which conditions a position was reached: changes since then are enough only if
 * these are the same.
 *
 * @param at the source's own position
 */
record SyncPosition(TableSchema source, SchemaContract contract, JsonNode at) {
    static SyncPosition of(JsonNode json) {
        return Json.bindWhole(json, SyncPosition.class);
    }
}
