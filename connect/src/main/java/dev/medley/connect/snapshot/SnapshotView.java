package dev.medley.connect.snapshot;

import dev.medley.base.ConfigException;
import java.io.IOException;

/**
 * Holds queries of a table as it was known at a time, for a DuckDB of the caller's. In both, {@code
 * _known_at} is missing in rows that were there before anybody looked: of those it cannot be said.
 *
 * @param rows the rows of then
 * @param history every row until then, as often as it changed, and {@code _deleted} where it went
 * @param version what it is of
 */
public record SnapshotView(String rows, String history, SnapshotVersion version) {
    /**
     * The queries of the version that was known at a time.
     *
     * @param name of the table, for messages
     * @param micros since 1970-01-01 UTC
     * @throws ConfigException if nothing was known then
     */
    public static SnapshotView knownAt(String name, SnapshotFolder folder, long micros)
            throws IOException {
        SnapshotManifest manifest = folder.requireManifest();
        SnapshotVersion version =
                manifest.knownAt(micros)
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "%s: nothing was known of it then: its first rows came later"
                                                        .formatted(name)));
        StateQuery query = StateQuery.at(manifest, folder.path(), version);
        long first = manifest.versions().get(0).knownAtMicros();
        return new SnapshotView(from(query.rows(), first), from(query.history(), first), version);
    }

    private static String from(String query, long firstMicros) {
        return ("SELECT * REPLACE (CASE WHEN epoch_us(_known_at) > %d THEN _known_at END AS "
                        + "_known_at) FROM (%s)")
                .formatted(firstMicros, query);
    }
}
