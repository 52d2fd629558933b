package dev.medley.connect.jdbc;

import dev.medley.base.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Remembers how far the cursor was.
 *
 * @param database tells it from others, without saying its address
 * @param cursor name of the column
 * @param highest value of it in any row read; null if there was none
 * @param sinceKeys syncs since all keys were compared
 * @param sinceAll syncs since all rows were read
 */
record JdbcPosition(
        String database,
        @Nullable String cursor,
        @Nullable Long highest,
        int sinceKeys,
        int sinceAll) {
    static Optional<JdbcPosition> of(@Nullable JsonNode json) {
        try {
            return json == null
                    ? Optional.empty()
                    : Optional.of(Json.bindWhole(json, JdbcPosition.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
