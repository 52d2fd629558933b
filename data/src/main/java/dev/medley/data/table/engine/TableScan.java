package dev.medley.data.table.engine;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/**
 * Streams a staged table in row order through DuckDB's vectors: numbers as doubles (NaN where
 * missing), codes as ints, texts as they are. Of numbers and codes nothing is made per row.
 */
public final class TableScan {
    /** Some thousand rows by column; the arrays are used again for the next chunk. */
    public static final class Chunk {
        public final double[][] numbers;
        public final int[][] codes;
        public final @Nullable String[][] texts;
        public int rows;

        Chunk(int numbers, int codes, int texts, int capacity) {
            this.numbers = new double[numbers][capacity];
            this.codes = new int[codes][capacity];
            this.texts = new String[texts][capacity];
        }
    }

    /** Takes chunks in row order. */
    @FunctionalInterface
    public interface Sink {
        void accept(Chunk chunk) throws IOException;
    }

    private static final int CAPACITY = 2048;

    private TableScan() {}

    /**
     * Reads all rows.
     *
     * @param numbers expressions of type DOUBLE
     * @param codes expressions of type INTEGER that are never NULL
     * @param texts expressions of type VARCHAR
     */
    public static void run(
            DuckDb db,
            String table,
            List<String> numbers,
            List<String> codes,
            List<String> texts,
            Sink sink)
            throws IOException {
        List<String> all = new ArrayList<>(numbers);
        all.addAll(codes);
        all.addAll(texts);
        String sql = "SELECT %s FROM %s".formatted(String.join(", ", all), table);
        Chunk chunk = new Chunk(numbers.size(), codes.size(), texts.size(), CAPACITY);
        try {
            db.plainly(
                    () -> {
                        try (DuckDBPreparedStatement statement = db.connection().prepare(sql);
                                DuckDBChunkedResult result = statement.query()) {
                            while (result.nextChunk()) {
                                fill(chunk, result.chunk());
                                sink.accept(chunk);
                            }
                        }
                    });
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static void fill(Chunk chunk, DuckDBDataChunkReader from) {
        int rows = (int) from.rowCount();
        if (rows > CAPACITY) {
            throw new IllegalStateException(rows + " rows in a chunk");
        }
        chunk.rows = rows;
        int column = 0;
        for (double[] values : chunk.numbers) {
            DuckDBReadableVector vector = from.vector(column++);
            for (int row = 0; row < rows; row++) {
                values[row] = vector.getDouble(row, Double.NaN);
            }
        }
        for (int[] values : chunk.codes) {
            DuckDBReadableVector vector = from.vector(column++);
            for (int row = 0; row < rows; row++) {
                values[row] = vector.getInt(row);
            }
        }
        for (@Nullable String[] values : chunk.texts) {
            DuckDBReadableVector vector = from.vector(column++);
            for (int row = 0; row < rows; row++) {
                values[row] = vector.isNull(row) ? null : vector.getString(row);
            }
        }
    }
}
