package dev.medley.connect.jdbc;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.ColumnVector;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of one column of a result.
 *
 * @param index from 1 on
 */
record JdbcColumn(int index, Column column) {
    private static final int NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    /** Names that databases give to moments. */
    private static final Set<String> ZONED =
            Set.of(
                    "timestamptz",
                    "timestamp with time zone",
                    "timestampltz",
                    "timestamp_tz",
                    "timestamp_ltz",
                    "timestamp with local time zone",
                    "datetimeoffset");

    static JdbcColumn of(ResultSetMetaData data, int index, boolean isKey) throws SQLException {
        ColumnType type = type(data, index);
        String name = data.getColumnLabel(index);
        boolean nullable = !isKey && data.isNullable(index) != ResultSetMetaData.columnNoNulls;
        int size =
                switch (type) {
                    case DECIMAL -> Math.max(0, data.getPrecision(index));
                    case INTEGER, BOOLEAN, REAL, TEXT, DATE, DATETIME, INSTANT, BYTES -> 0;
                };
        int scale = size == 0 ? 0 : data.getScale(index);
        return new JdbcColumn(index, new Column(name, name, type, size, scale, nullable));
    }

    private static ColumnType type(ResultSetMetaData data, int index) throws SQLException {
        String name = String.valueOf(data.getColumnTypeName(index)).toLowerCase(Locale.ROOT);
        if (name.equals("uuid")) {
            return ColumnType.TEXT; // Some drivers call it binary.
        } else if (ZONED.contains(name)) {
            return ColumnType.INSTANT; // Some drivers have numbers of their own for it.
        }
        return switch (data.getColumnType(index)) {
            case Types.BOOLEAN -> ColumnType.BOOLEAN;
            case Types.BIT -> data.getPrecision(index) <= 1 ? ColumnType.BOOLEAN : ColumnType.TEXT;
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> ColumnType.INTEGER;
            case Types.BIGINT -> data.isSigned(index) ? ColumnType.INTEGER : ColumnType.DECIMAL;
            case Types.REAL, Types.FLOAT, Types.DOUBLE -> ColumnType.REAL;
            case Types.NUMERIC, Types.DECIMAL -> ColumnType.DECIMAL;
            case Types.DATE -> ColumnType.DATE;
            case Types.TIMESTAMP -> ColumnType.DATETIME;
            case Types.TIMESTAMP_WITH_TIMEZONE -> ColumnType.INSTANT;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> ColumnType.BYTES;
            default -> ColumnType.TEXT;
        };
    }

    /** Sets the value of the result's row. */
    void read(ResultSet result, JdbcTimes times, ColumnVector to, int row) throws SQLException {
        switch (column.type()) {
            case BOOLEAN -> set(to, row, result.getBoolean(index) ? 1 : 0, result);
            case INTEGER -> set(to, row, whole(result), result);
            case REAL -> {
                double value = result.getDouble(index);
                if (!result.wasNull()) {
                    to.setDouble(row, value);
                }
            }
            case DECIMAL -> {
                Object value = result.getObject(index);
                if (value != null) {
                    to.setText(row, decimal(value, result));
                }
            }
            case TEXT -> {
                // Drivers write a UUID's text in several ways.
                Object value = result.getObject(index);
                if (value != null) {
                    String text =
                            value instanceof UUID ? value.toString() : result.getString(index);
                    to.setText(row, text);
                }
            }
            case DATE -> set(to, row, times.day(result, index));
            case DATETIME -> set(to, row, times.dateTime(result, index, column.name()));
            case INSTANT -> set(to, row, times.moment(result, index, column.name()));
            case BYTES -> {
                byte[] value = result.getBytes(index);
                if (value != null) {
                    to.setBytes(row, value);
                }
            }
        }
    }

    /** Snowflake's whole numbers have up to 38 digits, whatever they were made for. */
    private long whole(ResultSet result) throws SQLException {
        try {
            return result.getLong(index);
        } catch (SQLException e) {
            BigDecimal value = result.getBigDecimal(index);
            if (value == null || value.toBigInteger().bitLength() < Long.SIZE) {
                throw e;
            }
            throw new ConfigException(
                    ("column '%s': has %s, for which there is no room in 64 bits: read it from a"
                                    + " query that makes it a text")
                            .formatted(column.name(), value.toPlainString()),
                    e);
        }
    }

    /** Some databases have decimals that are no numbers, which no BigDecimal holds. */
    private String decimal(Object value, ResultSet result) throws SQLException {
        if (value instanceof Double number && !Double.isFinite(number)) {
            return number.toString();
        }
        BigDecimal plain = value instanceof BigDecimal some ? some : result.getBigDecimal(index);
        return plain.toPlainString();
    }

    private static void set(ColumnVector to, int row, long value, ResultSet result)
            throws SQLException {
        if (!result.wasNull()) {
            to.setLong(row, value);
        }
    }

    private static void set(ColumnVector to, int row, @Nullable LocalDate value) {
        if (value != null) {
            to.setLong(
                    row,
                    value.equals(LocalDate.MAX) || value.toEpochDay() == Integer.MAX_VALUE
                            ? ColumnType.INFINITE
                            : value.equals(LocalDate.MIN)
                                            || value.toEpochDay() == -Integer.MAX_VALUE
                                    ? ColumnType.MINUS_INFINITE
                                    : value.toEpochDay());
        }
    }

    private void set(ColumnVector to, int row, @Nullable LocalDateTime value) {
        if (value != null) {
            to.setLong(
                    row,
                    value.equals(LocalDateTime.MAX)
                            ? ColumnType.INFINITE
                            : value.equals(LocalDateTime.MIN)
                                    ? ColumnType.MINUS_INFINITE
                                    : micros(value.toInstant(ZoneOffset.UTC)));
        }
    }

    private void set(ColumnVector to, int row, @Nullable OffsetDateTime value) {
        if (value != null) {
            to.setLong(
                    row,
                    value.equals(OffsetDateTime.MAX)
                            ? ColumnType.INFINITE
                            : value.equals(OffsetDateTime.MIN)
                                    ? ColumnType.MINUS_INFINITE
                                    : micros(value.toInstant()));
        }
    }

    private long micros(Instant value) {
        ConfigException.check(
                value.get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MICRO == 0,
                "column '%s': has the time %s, but times are kept in microseconds: read it from a"
                        + " query that rounds it or makes it a text",
                column.name(),
                value);
        try {
            long micros = microsOf(value);
            return micros == -Long.MAX_VALUE ? ColumnType.MINUS_INFINITE : micros; // DuckDB's
        } catch (ArithmeticException e) {
            throw new ConfigException(
                    "column '%s': has the time %s, for which there is no room in 64 bits of"
                                    .formatted(column.name(), value)
                            + " microseconds: leave it out in a query",
                    e);
        }
    }

    /** Towards 1970 first, so that the earliest time does not overflow on the way. */
    private static long microsOf(Instant value) {
        long seconds = value.getEpochSecond();
        long micros = value.get(ChronoField.MICRO_OF_SECOND);
        return seconds < 0
                ? Math.addExact(
                        Math.multiplyExact(seconds + 1, MICROS_PER_SECOND),
                        micros - MICROS_PER_SECOND)
                : Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND), micros);
    }

    /** A value of this column for a statement. */
    Object parameter(long value) {
        return switch (column.type()) {
            case INTEGER -> value;
            case DATE -> LocalDate.ofEpochDay(value);
            case DATETIME -> LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC);
            case INSTANT -> OffsetDateTime.ofInstant(instant(value), ZoneOffset.UTC);
            case BOOLEAN, REAL, DECIMAL, TEXT, BYTES ->
                    throw new ConfigException(
                            ("cursor '%s' holds %s: name a column of whole numbers, days or times,"
                                            + " or none")
                                    .formatted(column.name(), column.type()));
        };
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
