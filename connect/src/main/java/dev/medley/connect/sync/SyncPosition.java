package dev.medley.connect.sync;

import dev.medley.base.Json;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.Sum;
import dev.medley.connect.table.TableSchema;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Remembers under which conditions a position was reached: changes since then are enough only if
 * these are the same.
 *
 * @param at the source's own position
 * @param leftOut keys of rows that the contract leaves out; null where it is not known which
 */
record SyncPosition(
        TableSchema source, SchemaContract contract, JsonNode at, @Nullable Sum leftOut) {
    /** Empty where another build wrote it: then all rows are read. */
    static Optional<SyncPosition> of(JsonNode json) {
        try {
            return Optional.of(Json.bindWhole(json, SyncPosition.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
