package dev.medley.connect.sql;

import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnVector;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowHash;
import dev.medley.data.table.engine.DuckDb;
import java.sql.SQLException;
import java.util.List;
import org.duckdb.DuckDBAppender;

/**
 * Stages rows in a table of DuckDB: columns {@code c0}, {@code c1} and so on, their hash, and
 * whether they are deleted. What does not fit memory goes to the disk.
 *
 * <p>Thread: one.
 */
public final class StagedRows implements AutoCloseable {
    private final DuckDb db;
    private final String table;
    private final RowHash hash;
    private final DuckDBAppender appender;
    private final int width;

    /** Makes {@code table} for rows with these columns. */
    public StagedRows(DuckDb db, String table, List<Column> columns) throws SQLException {
        this.db = db;
        this.table = table;
        this.hash = new RowHash(columns);
        this.width = columns.size();
        StringBuilder sql = new StringBuilder("CREATE TABLE " + table + " (");
        for (int i = 0; i < width; i++) {
            sql.append('c').append(i).append(' ');
            sql.append(SqlColumns.staged(columns.get(i).type())).append(", ");
        }
        db.execute(sql + "_hash BIGINT, _deleted BOOLEAN)");
        this.appender = db.connection().createAppender(table);
    }

    /** Adds the rows of a batch. */
    public void add(RowBatch batch) throws SQLException {
        long[] hashes = hash.of(batch);
        for (int row = 0; row < batch.rows(); row++) {
            appender.beginRow();
            for (int column = 0; column < width; column++) {
                append(appender, batch.column(column), row);
            }
            appender.append(hashes[row]);
            appender.append(batch.isDeleted(row));
            appender.endRow();
        }
    }

    /** Adds one value to a row of an appender. */
    public static void append(DuckDBAppender appender, ColumnVector vector, int row)
            throws SQLException {
        if (vector.isMissing(row)) {
            appender.appendNull();
            return;
        }
        switch (vector.type()) {
            case BOOLEAN, INTEGER, DATE, DATETIME, INSTANT -> appender.append(vector.longAt(row));
            case REAL -> appender.append(vector.doubleAt(row));
            case DECIMAL, TEXT -> appender.append(vector.textAt(row));
            case BYTES -> appender.append(vector.bytesAt(row));
        }
    }

    /** Makes queries see all rows so far. */
    public void flush() throws SQLException {
        appender.flush();
    }

    /** Adds rows that were put into a file as they are staged. */
    public void load(String file) throws SQLException {
        appender.flush();
        db.execute("INSERT INTO %s SELECT * FROM read_parquet(%s)".formatted(table, file));
    }

    @Override
    public void close() throws SQLException {
        appender.close();
    }
}
