package dev.medley.connect.postgres;

import dev.medley.base.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Says what a sync has seen of a table: every transaction below {@code xmin} had ended, and its
 * rows were read.
 *
 * @param place host, port and database: a copy of the data folder has the same identifiers
 * @param startedMicros when the server was started: until then its data folder may have been put
 *     back, or transactions lost that it had not yet written
 * @param system identifier of the database cluster
 * @param timeline of its history: another one after a recovery or a failover
 * @param database its oid
 * @param table its oid, and the oids of its partitions and children in order
 * @param xmin the oldest transaction that was under way, with its epoch
 * @param xmax the next transaction that had not begun, with its epoch
 * @param walBytes how far the write-ahead log was
 * @param sinceKeys how many syncs there have been since all keys were compared
 * @param ids of its columns
 */
record PostgresPosition(
        String place,
        long startedMicros,
        String system,
        int timeline,
        long database,
        List<Long> table,
        long xmin,
        long xmax,
        long walBytes,
        int sinceKeys,
        ColumnIds ids) {
    /** Transactions are numbered with 32 bits in rows; half of them lie behind. */
    private static final long MOST_TRANSACTIONS = 1L << 31;

    PostgresPosition {
        table = List.copyOf(table);
    }

    /** Empty where it is of another kind. */
    static Optional<PostgresPosition> of(@Nullable JsonNode json) {
        if (json == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.bindWhole(json, PostgresPosition.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Why changes after {@code since} cannot be told; empty if they can. */
    Optional<String> cannotGoOn(PostgresPosition since) {
        if (!system.equals(since.system) || database != since.database) {
            return Optional.of("it is another database than at the last sync");
        } else if (!place.equals(since.place)) {
            return Optional.of(
                    "the database is at %s, no longer at %s".formatted(place, since.place));
        } else if (timeline != since.timeline) {
            return Optional.of(
                    "the server was recovered or replaced: its history is %d, not %d"
                            .formatted(timeline, since.timeline));
        } else if (xmax < since.xmax || walBytes < since.walBytes) {
            return Optional.of("the server is at an earlier state than at the last sync");
        } else if (startedMicros != since.startedMicros) {
            return Optional.of("the server was started anew since the last sync");
        } else if (!table.get(0).equals(since.table.get(0))) {
            return Optional.of("the table was made anew");
        } else if (!table.equals(since.table)) {
            return Optional.of("the table has other partitions than at the last sync");
        } else if (xmax - since.xmin >= MOST_TRANSACTIONS) {
            return Optional.of("too many transactions have passed since the last sync");
        }
        return Optional.empty();
    }

    /** Names the table itself, wherever it is reached. */
    String identity() {
        return "%s.%d.%d".formatted(system, database, table.get(0));
    }

    PostgresPosition with(int countSinceKeys, ColumnIds columns) {
        return new PostgresPosition(
                place,
                startedMicros,
                system,
                timeline,
                database,
                table,
                xmin,
                xmax,
                walBytes,
                countSinceKeys,
                columns);
    }
}
