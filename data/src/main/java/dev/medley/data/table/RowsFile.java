package dev.medley.data.table;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;

/**
 * Writes rows of texts and numbers to a Parquet file, which is there when all of them are.
 *
 * <p>Thread: one.
 */
public final class RowsFile implements AutoCloseable {
    private final Path out;
    private final ScratchFolder scratch;
    private final DuckDb db;
    private final DuckDBAppender appender;
    private boolean isOpen = true;

    private RowsFile(Path out, ScratchFolder scratch, DuckDb db, DuckDBAppender appender) {
        this.out = out;
        this.scratch = scratch;
        this.db = db;
        this.appender = appender;
    }

    /**
     * Of columns by name.
     *
     * @param columns with whether each is a number (else a text)
     */
    public static RowsFile parquet(Map<String, Boolean> columns, Path out) throws IOException {
        ScratchFolder scratch = ScratchFolder.beside(out);
        DuckDb db = DuckDb.forFiles(java.util.List.of(), scratch.path());
        try {
            db.execute(
                    columns.entrySet().stream()
                            .map(
                                    c ->
                                            DuckDb.name(c.getKey())
                                                    + (c.getValue() ? " DOUBLE" : " VARCHAR"))
                            .collect(Collectors.joining(", ", "CREATE TABLE rows_of (", ")")));
            DuckDBAppender appender = db.connection().createAppender("main", "rows_of");
            return new RowsFile(out, scratch, db, appender);
        } catch (SQLException e) {
            db.close();
            scratch.close();
            throw new IOException(DuckDb.message(e), e);
        }
    }

    /** Adds a row: for every column a Double or a String. */
    public void add(Object... values) throws IOException {
        try {
            appender.beginRow();
            for (Object value : values) {
                if (value instanceof Double number) {
                    appender.append(number.doubleValue());
                } else {
                    appender.append(String.valueOf(value));
                }
            }
            appender.endRow();
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        }
    }

    /** Writes the file; there are no more rows. */
    public void finish() throws IOException {
        try {
            appender.close();
            db.execute(
                    "COPY rows_of TO %s (FORMAT parquet)".formatted(DuckDb.text(out.toString())));
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        } finally {
            close();
        }
    }

    /** Also after {@link #finish}, which may have failed: the reason is the one that it gave. */
    @Override
    public void close() {
        if (!isOpen) {
            return;
        }
        isOpen = false;
        try {
            db.close();
            scratch.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
