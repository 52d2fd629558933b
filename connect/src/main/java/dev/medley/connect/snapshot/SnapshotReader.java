package dev.medley.connect.snapshot;

import dev.medley.base.ConfigException;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.sql.SqlRows;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.TableSchema;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads a table as it is, or as it was known at a time, from the folder of its snapshot. A sync at
 * the same time does not disturb it.
 *
 * <p>Thread: one.
 */
public final class SnapshotReader implements AutoCloseable {
    private final SnapshotManifest manifest;
    private final SnapshotVersion version;
    private final StateQuery query;
    private final ScratchFolder scratch;
    private final DuckDb db;

    private SnapshotReader(
            SnapshotFolder folder, SnapshotManifest manifest, SnapshotVersion version)
            throws IOException {
        this.manifest = manifest;
        this.version = version;
        this.query = StateQuery.at(manifest, folder.path(), version);
        this.scratch = ScratchFolder.beside(folder.path().resolve("read"));
        this.db = DuckDb.pooled(scratch.path());
    }

    /** The last version. */
    public static SnapshotReader latest(SnapshotFolder folder) throws IOException {
        SnapshotManifest manifest = folder.requireManifest();
        return new SnapshotReader(folder, manifest, manifest.latest());
    }

    /**
     * The version that was known at a time.
     *
     * @param micros since 1970-01-01 UTC
     */
    public static SnapshotReader knownAt(SnapshotFolder folder, long micros) throws IOException {
        SnapshotManifest manifest = folder.requireManifest();
        SnapshotVersion version =
                manifest.knownAt(micros)
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "%s: nothing was known then: its first version is later"
                                                        .formatted(folder.path())));
        return new SnapshotReader(folder, manifest, version);
    }

    /** What the columns were then. */
    public TableSchema schema() {
        return manifest.schemaOf(version);
    }

    /** Which version is read. */
    public SnapshotVersion version() {
        return version;
    }

    /** The SQL of its rows, for a DuckDB of the caller's. */
    public String sql() {
        return query.rows();
    }

    /** Reads all rows. */
    public void rows(RowSink sink) throws IOException {
        rows(schema().columns(), sink);
    }

    /** Reads some columns of all rows. */
    public void rows(List<Column> columns, RowSink sink) throws IOException {
        String values =
                columns.stream()
                        .map(c -> SqlColumns.toStaged(c.type(), DuckDb.name(c.name())))
                        .collect(Collectors.joining(", "));
        try {
            SqlRows.read(db, "SELECT %s FROM (%s)".formatted(values, query.rows()), columns, sink);
        } catch (SQLException e) {
            throw new IOException(version + " cannot be read: " + DuckDb.message(e), e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            db.close();
        } finally {
            scratch.close();
        }
    }
}
