package dev.medley.connect.table;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes batches of values, and texts of batches, for tests. */
public final class RowTexts {
    private RowTexts() {}

    /** Rows of values: Long, Double, String, byte[] or null. */
    public static RowBatch batch(List<Column> columns, @Nullable Object[]... rows) {
        RowBatch batch = new RowBatch(columns, Math.max(1, rows.length));
        for (@Nullable Object[] values : rows) {
            int row = batch.add();
            for (int c = 0; c < values.length; c++) {
                set(batch.column(c), row, values[c]);
            }
        }
        return batch;
    }

    private static void set(ColumnVector vector, int row, @Nullable Object value) {
        if (value instanceof Long number) {
            vector.setLong(row, number);
        } else if (value instanceof Integer number) {
            vector.setLong(row, number);
        } else if (value instanceof Double number) {
            vector.setDouble(row, number);
        } else if (value instanceof String text) {
            vector.setText(row, text);
        } else if (value instanceof byte[] bytes) {
            vector.setBytes(row, bytes);
        }
    }

    /** A sink that adds a text for each row to {@code texts}. */
    public static RowSink into(List<String> texts) {
        return batch -> {
            for (int row = 0; row < batch.rows(); row++) {
                List<String> values = new ArrayList<>();
                for (int c = 0; c < batch.columns().size(); c++) {
                    values.add(text(batch.column(c), row));
                }
                texts.add(String.join(" ", values) + (batch.isDeleted(row) ? " deleted" : ""));
            }
        };
    }

    private static String text(ColumnVector vector, int row) {
        if (vector.isMissing(row)) {
            return "-";
        }
        return switch (vector.type()) {
            case BOOLEAN, INTEGER, DATE, DATETIME, INSTANT -> Long.toString(vector.longAt(row));
            case REAL -> Double.toString(vector.doubleAt(row));
            case DECIMAL, TEXT -> vector.textAt(row);
            case BYTES -> HexFormat.of().formatHex(vector.bytesAt(row));
        };
    }
}
