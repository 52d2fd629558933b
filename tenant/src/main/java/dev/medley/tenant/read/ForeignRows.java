package dev.medley.tenant.read;

import dev.medley.base.ConfigException;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.sql.StagedRows;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.ScratchFolder;
import dev.medley.tenant.policy.SourceColumn;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;

/**
 * Reads a table elsewhere as a sync does, all rows of it anew for each extract. Of rows that a
 * caller does not see, one batch at a time is in memory, and none is left.
 *
 * <p>Thread: one; {@link ReadStop} any.
 */
final class ForeignRows implements SourceRows {
    private static final int MOST_DIGITS = 38;
    private static final String BATCH = "batch";

    private final TableView view;
    private final List<SourceColumn> columns;
    private final ScratchFolder copies;
    private final ReadStop stop;

    private ForeignRows(TableView view, ScratchFolder copies, ReadStop stop) {
        this.view = view;
        this.copies = copies;
        this.stop = stop;
        this.columns = view.schema().columns().stream().map(ForeignRows::column).toList();
    }

    /**
     * Opens the table.
     *
     * @param copies for what the source has to copy; closed with the rows
     */
    static ForeignRows open(TableSource source, ScratchFolder copies, ReadStop stop)
            throws IOException {
        TableView view = source.open(SyncStart.FIRST);
        try {
            stop.closes(view::cut);
            return new ForeignRows(view, copies, stop);
        } catch (IOException | RuntimeException e) {
            view.close();
            throw e;
        }
    }

    /** Decimals travel as texts, which hold every value exactly. */
    private static SourceColumn column(Column column) {
        boolean isBounded =
                column.type() == ColumnType.DECIMAL
                        && column.size() > 0
                        && column.size() <= MOST_DIGITS
                        && column.scale() >= 0
                        && column.scale() <= column.size();
        return isBounded
                ? new SourceColumn(
                        column.name(),
                        "DECIMAL(%d,%d)".formatted(column.size(), column.scale()),
                        true)
                : new SourceColumn(column.name(), SqlColumns.type(column.type()), false);
    }

    @Override
    public List<SourceColumn> columns() {
        return columns;
    }

    @Override
    public void fill(DuckDb db, ExtractSql extract) throws SQLException, IOException {
        List<Column> read = view.schema().columns();
        String from =
                IntStream.range(0, read.size())
                        .mapToObj(
                                i ->
                                        "%s AS %s"
                                                .formatted(
                                                        SqlColumns.toFile(
                                                                read.get(i).type(), "c" + i),
                                                        DuckDb.name(read.get(i).name())))
                        .collect(Collectors.joining(", ", "SELECT ", " FROM " + BATCH));
        String table =
                IntStream.range(0, read.size())
                        .mapToObj(i -> "c" + i + " " + SqlColumns.staged(read.get(i).type()))
                        .collect(Collectors.joining(", ", "TABLE " + BATCH + " (", ")"));
        db.execute("CREATE " + table);
        extract.create(db, from);
        try {
            view.rows(
                    Changes.Rows.ALL,
                    batch -> {
                        requireWanted();
                        try {
                            append(db, batch);
                            extract.insert(db, from);
                            db.execute("CREATE OR REPLACE " + table);
                        } catch (SQLException e) {
                            throw new JsonRows.RowsEnded(e);
                        }
                    });
        } catch (JsonRows.RowsEnded e) {
            throw e.sql();
        } catch (IOException | ConfigException e) {
            requireWanted();
            throw unread(e);
        }
        db.execute("DROP TABLE " + BATCH);
        db.execute("CREATE TABLE sorted AS SELECT * FROM extract ORDER BY ALL");
        db.execute("DROP TABLE extract");
        db.execute("ALTER TABLE sorted RENAME TO extract");
    }

    private void requireWanted() throws IOException {
        if (stop.isStopped()) {
            throw new IOException("nobody waits for this read any more");
        }
    }

    /** What a driver or a file's reader says may show values of rows, of others too. */
    static IOException unread(Exception e) {
        String state = "";
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                state = " (SQLSTATE %s)".formatted(sql.getSQLState());
            }
        }
        return new IOException(
                "the table cannot be read from its source now%s: whoever keeps it has to look at it"
                        .formatted(state));
    }

    private static void append(DuckDb db, RowBatch batch) throws SQLException {
        try (DuckDBAppender appender = db.connection().createAppender(BATCH)) {
            for (int row = 0; row < batch.rows(); row++) {
                appender.beginRow();
                for (int column = 0; column < batch.columns().size(); column++) {
                    StagedRows.append(appender, batch.column(column), row);
                }
                appender.endRow();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            view.close();
        } catch (IOException e) {
            throw unread(e);
        } finally {
            copies.close();
        }
    }
}
