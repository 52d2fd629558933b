package dev.medley.connect.snapshot;

import dev.medley.connect.sql.StagedRows;
import dev.medley.connect.table.TableSchema;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Holds the rows and keys that came from a source until they are compared, in a DuckDB beside the
 * table's folder.
 *
 * @param rows in the table {@value #ROWS}
 * @param keys in the table {@value #KEYS}
 */
record StagedTables(
        TableSchema schema, ScratchFolder scratch, DuckDb db, StagedRows rows, StagedRows keys)
        implements AutoCloseable {
    static final String ROWS = "staged";
    static final String KEYS = "keys";

    static StagedTables open(Path folder, TableSchema schema) throws IOException, SQLException {
        ScratchFolder scratch = ScratchFolder.beside(folder.resolve("sync"));
        DuckDb db = DuckDb.pooled(scratch.path());
        return new StagedTables(
                schema,
                scratch,
                db,
                new StagedRows(db, ROWS, schema.columns()),
                new StagedRows(db, KEYS, schema.keyColumns()));
    }

    void flush() throws SQLException {
        rows.flush();
        keys.flush();
    }

    @Override
    public void close() throws IOException {
        try {
            rows.close();
            keys.close();
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        } finally {
            db.close();
            scratch.close();
        }
    }
}
