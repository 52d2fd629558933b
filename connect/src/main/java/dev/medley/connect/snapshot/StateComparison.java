package dev.medley.connect.snapshot;

import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.sql.StagedRows;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowHash;
import dev.medley.connect.table.TableSchema;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;

/**
 * Compares the rows of a snapshot, read from its files and hashed anew, with rows of a source. Only
 * keys and hashes are kept, of rows without a key all columns.
 *
 * <p>Thread: one.
 */
public final class StateComparison implements AutoCloseable {
    private static final int EXAMPLES = 10;
    private static final String SOURCE = "source";
    private static final String SNAPSHOT = "snapshot";

    private final TableSchema schema;
    private final List<Column> shown;
    private final ScratchFolder scratch;
    private final DuckDb db;
    private final Side source;
    private final Side snapshot;

    private StateComparison(TableSchema schema, ScratchFolder scratch, DuckDb db)
            throws SQLException {
        this.schema = schema;
        this.shown = schema.key().isEmpty() ? schema.columns() : schema.keyColumns();
        this.scratch = scratch;
        this.db = db;
        this.source = new Side(SOURCE);
        this.snapshot = new Side(SNAPSHOT);
    }

    /** Reads all rows of {@code reader}. */
    public static StateComparison of(SnapshotFolder folder, SnapshotReader reader)
            throws IOException {
        ScratchFolder scratch = ScratchFolder.beside(folder.path().resolve("compare"));
        DuckDb db = DuckDb.pooled(scratch.path());
        try {
            StateComparison comparison = new StateComparison(reader.schema(), scratch, db);
            reader.rows(comparison.snapshot::add);
            comparison.snapshot.end();
            return comparison;
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        }
    }

    /** Takes rows of the source. */
    public void addSource(RowBatch batch) throws IOException {
        source.add(batch);
    }

    /** Number and checksum of the source's rows. */
    public Sum source() {
        return source.sum;
    }

    /** Number and checksum of the snapshot's rows. */
    public Sum snapshot() {
        return snapshot.sum;
    }

    /** How many rows are not the same on both sides. */
    public long differing() throws IOException {
        return Long.parseLong(query("SELECT count(*) FROM (" + differences() + ")").get(0).get(0));
    }

    /** Up to ten of them. */
    public List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        for (List<String> row : query(differences() + " LIMIT " + EXAMPLES)) {
            String values =
                    IntStream.range(0, shown.size())
                            .mapToObj(i -> shown.get(i).name() + "=" + row.get(i))
                            .collect(Collectors.joining(", "));
            examples.add(values + " " + row.get(shown.size()));
        }
        return examples;
    }

    private List<List<String>> query(String sql) throws IOException {
        try {
            source.end();
            return db.rows(sql);
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        }
    }

    /** Rows as (columns shown, what differs). */
    private String differences() {
        if (schema.key().isEmpty()) {
            String columns = columns(i -> "any_value(c" + i + ")");
            return ("SELECT %1$s, n || CASE WHEN n > 0 THEN ' more in the source' ELSE"
                            + " ' fewer in the source' END FROM (SELECT *, sum(side) OVER"
                            + " (PARTITION BY h) AS n FROM (SELECT *, 1 AS side FROM source UNION"
                            + " ALL SELECT *, -1 FROM snapshot)) WHERE n <> 0 GROUP BY h, n")
                    .formatted(columns);
        }
        String on =
                IntStream.range(0, shown.size())
                        .mapToObj(i -> "a.c" + i + " = b.c" + i)
                        .collect(Collectors.joining(" AND "));
        return ("SELECT %s, CASE WHEN b.h IS NULL THEN 'is missing here' WHEN a.h IS NULL THEN"
                        + " 'is not in the source' ELSE 'has other values' END"
                        + " FROM source a FULL JOIN snapshot b ON %s"
                        + " WHERE a.h IS DISTINCT FROM b.h")
                .formatted(columns(i -> "coalesce(a.c" + i + ", b.c" + i + ")"), on);
    }

    private String columns(IntFunction<String> value) {
        return IntStream.range(0, shown.size()).mapToObj(value).collect(Collectors.joining(", "));
    }

    /** One of both: its sum, and its rows in a table. */
    private final class Side {
        private final RowHash hash = new RowHash(schema.columns());
        private final DuckDBAppender appender;
        private Sum sum = Sum.NONE;

        Side(String table) throws SQLException {
            String columns =
                    IntStream.range(0, shown.size())
                            .mapToObj(
                                    i ->
                                            "c"
                                                    + i
                                                    + " "
                                                    + SqlColumns.staged(shown.get(i).type())
                                                    + ", ")
                            .collect(Collectors.joining());
            db.execute("CREATE TABLE " + table + " (" + columns + "h BIGINT)");
            appender = db.connection().createAppender(table);
        }

        void add(RowBatch batch) throws IOException {
            long[] hashes = hash.of(batch);
            try {
                for (int row = 0; row < batch.rows(); row++) {
                    if (!batch.isDeleted(row)) {
                        sum = sum.plus(new Sum(1, hashes[row]));
                        appender.beginRow();
                        for (Column column : shown) {
                            StagedRows.append(
                                    appender, batch.column(schema.columns().indexOf(column)), row);
                        }
                        appender.append(hashes[row]);
                        appender.endRow();
                    }
                }
            } catch (SQLException e) {
                throw new IOException(DuckDb.message(e), e);
            }
        }

        void end() throws SQLException {
            appender.flush();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            source.appender.close();
            snapshot.appender.close();
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        } finally {
            db.close();
            scratch.close();
        }
    }
}
