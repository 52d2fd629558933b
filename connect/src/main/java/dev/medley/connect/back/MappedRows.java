package dev.medley.connect.back;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.ColumnVector;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the columns of a table that are to be written, in the order of {@link BackTable#columns},
 * as texts that every destination reads: plain numbers, true and false, ISO 8601 with seconds.
 *
 * <p>Thread: one.
 */
public final class MappedRows implements RowSink {
    private final String key;
    private final List<String> columns;
    private final BackRows.Taker taker;

    /**
     * Rows of a table.
     *
     * @param key name of its column that names a row
     * @param columns names of its columns whose values are written
     */
    public MappedRows(String key, List<String> columns, BackRows.Taker taker) {
        this.key = key;
        this.columns = List.copyOf(columns);
        this.taker = taker;
    }

    @Override
    public void accept(RowBatch batch) throws IOException {
        int keyAt = indexOf(batch, key);
        int[] at = columns.stream().mapToInt(name -> indexOf(batch, name)).toArray();
        for (int row = 0; row < batch.rows(); row++) {
            if (batch.isDeleted(row)) {
                continue;
            }
            List<@Nullable String> values = new ArrayList<>(at.length);
            for (int column : at) {
                values.add(text(batch.column(column), row));
            }
            String name = text(batch.column(keyAt), row);
            taker.row(new BackRow(name == null ? "" : name, values));
        }
    }

    private static int indexOf(RowBatch batch, String wanted) {
        List<String> names = batch.columns().stream().map(Column::name).toList();
        int at = names.indexOf(wanted);
        ConfigException.check(
                at >= 0,
                "there is no column '%s' to be written%s",
                wanted,
                DidYouMean.of(wanted, names).map(n -> "; did you mean '" + n + "'?").orElse(""));
        return at;
    }

    private static @Nullable String text(ColumnVector vector, int row) {
        if (vector.isMissing(row)) {
            return null;
        }
        return switch (vector.type()) {
            case BOOLEAN -> vector.longAt(row) == 1 ? "true" : "false";
            case INTEGER -> Long.toString(vector.longAt(row));
            case REAL -> number(vector.doubleAt(row));
            case DECIMAL, TEXT -> vector.textAt(row);
            case DATE, DATETIME, INSTANT -> time(vector.type(), vector.longAt(row));
            case BYTES -> Base64.getEncoder().encodeToString(vector.bytesAt(row));
        };
    }

    /**
     * Without an exponent; or NaN, Infinity, -Infinity, for which not every destination has room.
     */
    private static String number(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).toPlainString()
                : Double.toString(value);
    }

    private static String time(ColumnType type, long value) {
        if (value == ColumnType.INFINITE) {
            return "infinity";
        } else if (value == ColumnType.MINUS_INFINITE) {
            return "-infinity";
        }
        return switch (type) {
            case DATE -> LocalDate.ofEpochDay(value).toString();
            case DATETIME ->
                    DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                            LocalDateTime.ofInstant(moment(value), ZoneOffset.UTC));
            default -> moment(value).toString();
        };
    }

    private static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
