package dev.medley.connect.sql;

import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnVector;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;

/** Streams the result of a query as batches; memory is that of one. */
public final class SqlRows {
    private SqlRows() {}

    /**
     * Reads all rows.
     *
     * @param sql selects the columns as {@link SqlColumns#toStaged} makes them
     */
    public static void read(DuckDb db, String sql, List<Column> columns, RowSink sink)
            throws SQLException, IOException {
        RowBatch batch = new RowBatch(columns, RowBatch.USUAL_CAPACITY);
        try (DuckDBPreparedStatement statement = db.connection().prepare(sql);
                DuckDBChunkedResult result = statement.query()) {
            while (result.nextChunk()) {
                fill(batch, result.chunk());
                sink.accept(batch);
            }
        }
    }

    private static void fill(RowBatch batch, DuckDBDataChunkReader chunk) {
        batch.clear();
        int rows = (int) chunk.rowCount();
        for (int row = 0; row < rows; row++) {
            batch.add();
        }
        for (int column = 0; column < batch.columns().size(); column++) {
            fill(batch.column(column), chunk.vector(column), rows);
        }
    }

    private static void fill(ColumnVector to, DuckDBReadableVector from, int rows) {
        for (int row = 0; row < rows; row++) {
            if (from.isNull(row)) {
                continue;
            }
            switch (to.type()) {
                case BOOLEAN, INTEGER, DATE, DATETIME, INSTANT ->
                        to.setLong(row, from.getLong(row));
                case REAL -> to.setDouble(row, from.getDouble(row));
                case DECIMAL, TEXT -> to.setText(row, from.getString(row));
                case BYTES -> to.setBytes(row, HexFormat.of().parseHex(from.getString(row)));
            }
        }
    }
}
