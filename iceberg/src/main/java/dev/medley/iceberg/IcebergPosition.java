package dev.medley.iceberg;

import dev.medley.base.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Remembers how far a table was read.
 *
 * @param uuid of the table: another of its name has another
 * @param snapshot that was read; 0 for a table without any
 */
record IcebergPosition(String uuid, long snapshot) {
    static Optional<IcebergPosition> of(@Nullable JsonNode json) {
        try {
            return json == null
                    ? Optional.empty()
                    : Optional.of(Json.bindWhole(json, IcebergPosition.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
