package dev.medley.connect.back;

import dev.medley.base.ConfigException;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;

/**
 * Writes all rows into a CSV or Parquet file, which is replaced as a whole: whoever reads it sees
 * the old rows or the new ones.
 *
 * <p>Thread: one.
 */
public final class BackFile {
    private final Path file;
    private final BackTable table;
    private final Map<String, ColumnType> types;

    /**
     * A file whose name ends in {@code .csv} or {@code .parquet}.
     *
     * @param types of columns that are no texts
     */
    public BackFile(Path file, BackTable table, Map<String, ColumnType> types) {
        String name = file.toString();
        ConfigException.check(
                name.endsWith(".csv") || name.endsWith(".parquet"),
                "%s: answers are written to .csv and .parquet: name one such file",
                file);
        this.file = file;
        this.table = table;
        this.types = Map.copyOf(types);
    }

    /** Puts the file in place; on a failure the old one stays. How many rows it has. */
    public long write(BackRows rows) throws IOException {
        try (ScratchFolder scratch = ScratchFolder.beside(file);
                DuckDb db = DuckDb.pooled(scratch.path())) {
            db.execute(
                    "CREATE TABLE answers (key VARCHAR"
                            + columns(i -> ", c" + i + " VARCHAR")
                            + ")");
            long count = fill(db, rows);
            Path finished = scratch.path().resolve("answers");
            boolean isCsv = file.toString().endsWith(".csv");
            db.execute(
                    "COPY (SELECT key AS %s%s FROM answers) TO %s (%s)"
                            .formatted(
                                    DuckDb.name(table.key()),
                                    columns(
                                            i ->
                                                    ", "
                                                            + (isCsv ? "c" + i : typed(i))
                                                            + " AS "
                                                            + name(i)),
                                    DuckDb.text(finished.toString()),
                                    isCsv ? "FORMAT csv, HEADER true" : "FORMAT parquet"));
            AtomicFile.publish(finished, file);
            return count;
        } catch (SQLException e) {
            throw new IOException(
                    "%s: cannot be written: %s".formatted(file, DuckDb.message(e)), e);
        }
    }

    private long fill(DuckDb db, BackRows rows) throws SQLException, IOException {
        long[] count = {0};
        try (DuckDBAppender appender = db.connection().createAppender("answers")) {
            rows.forEach(
                    row -> {
                        try {
                            append(appender, row);
                        } catch (SQLException e) {
                            throw new IOException(DuckDb.message(e), e);
                        }
                        count[0]++;
                    });
        }
        return count[0];
    }

    private static void append(DuckDBAppender appender, BackRow row) throws SQLException {
        appender.beginRow();
        appender.append(row.key());
        for (String value : row.values()) {
            if (value == null) {
                appender.appendNull();
            } else {
                appender.append(value);
            }
        }
        appender.endRow();
    }

    private String typed(int column) {
        ColumnType type = types.getOrDefault(table.columns().get(column), ColumnType.TEXT);
        return type.isText()
                ? "c" + column
                : "CAST(c%d AS %s)".formatted(column, SqlColumns.type(type));
    }

    private String name(int column) {
        return DuckDb.name(table.columns().get(column));
    }

    private String columns(java.util.function.IntFunction<String> one) {
        return IntStream.range(0, table.columns().size())
                .mapToObj(one)
                .collect(Collectors.joining());
    }
}
