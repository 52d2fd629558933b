package dev.medley.connect.sql;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Converts columns between their form in Parquet, which other programs understand, and the staged
 * form of the same value: a BIGINT, DOUBLE, VARCHAR or BLOB as a {@link
 * dev.medley.connect.table.ColumnVector} has it. Nothing is lost on the way: NaN, infinite dates
 * and years before Christ among them.
 */
public final class SqlColumns {
    /** Names of the columns that snapshots add. */
    public static final String VERSION = "_version";

    public static final String KNOWN_AT = "_known_at";
    public static final String DELETED = "_deleted";
    public static final String HASH = "_hash";

    private static final List<String> OWN = List.of(VERSION, KNOWN_AT, DELETED, HASH);
    private static final String LATEST = String.valueOf(ColumnType.INFINITE);
    private static final String EARLIEST = "(-9223372036854775807 - 1)";

    private SqlColumns() {}

    /** Refuses names that cannot stand beside each other in a file. */
    public static void check(List<Column> columns) {
        Map<String, String> names = new HashMap<>();
        OWN.forEach(name -> names.put(name, name));
        for (Column column : columns) {
            String other = names.put(column.name().toLowerCase(Locale.ROOT), column.name());
            if (other != null) {
                throw new ConfigException(
                        OWN.contains(other)
                                ? "column '%s' has a name that snapshots use themselves: leave it"
                                                .formatted(column.name())
                                        + " out or rename it in a view"
                                : "columns '%s' and '%s' differ by capitals alone: leave one out or"
                                                .formatted(other, column.name())
                                        + " rename it in a view");
            }
        }
    }

    /** The type of staged values. */
    public static String staged(ColumnType type) {
        return switch (type) {
            case BOOLEAN, INTEGER, DATE, DATETIME, INSTANT -> "BIGINT";
            case REAL -> "DOUBLE";
            case DECIMAL, TEXT -> "VARCHAR";
            case BYTES -> "BLOB";
        };
    }

    /** The type in a file. */
    public static String type(ColumnType type) {
        return switch (type) {
            case BOOLEAN -> "BOOLEAN";
            case DATE -> "DATE";
            case DATETIME -> "TIMESTAMP";
            case INSTANT -> "TIMESTAMPTZ";
            case INTEGER, REAL, DECIMAL, TEXT, BYTES -> staged(type);
        };
    }

    /** The expression of the file's value of a staged one. */
    public static String toFile(ColumnType type, String staged) {
        return switch (type) {
            case BOOLEAN -> "CAST(%s AS BOOLEAN)".formatted(staged);
            case DATE ->
                    toTime(staged, "DATE", "DATE '1970-01-01' + CAST(" + staged + " AS INTEGER)");
            case DATETIME -> toTime(staged, "TIMESTAMP", "make_timestamp(" + staged + ")");
            case INSTANT ->
                    toTime(
                            staged,
                            "TIMESTAMPTZ",
                            "CAST(make_timestamp(" + staged + ") AS TIMESTAMPTZ)");
            case INTEGER, REAL, DECIMAL, TEXT, BYTES -> staged;
        };
    }

    /** The expression of the staged value of a file's. BYTES become their hexadecimal digits. */
    public static String toStaged(ColumnType type, String value) {
        return switch (type) {
            case BOOLEAN -> "CAST(%s AS BIGINT)".formatted(value);
            case DATE ->
                    fromTime(value, "DATE", "CAST(" + value + " - DATE '1970-01-01' AS BIGINT)");
            case DATETIME -> fromTime(value, "TIMESTAMP", "epoch_us(" + value + ")");
            case INSTANT -> fromTime(value, "TIMESTAMPTZ", "epoch_us(" + value + ")");
            case BYTES -> "hex(" + value + ")";
            case INTEGER, REAL, DECIMAL, TEXT -> value;
        };
    }

    private static String toTime(String staged, String type, String finite) {
        return ("CASE WHEN %1$s = %2$s THEN CAST('infinity' AS %4$s)"
                        + " WHEN %1$s = %3$s THEN CAST('-infinity' AS %4$s) ELSE %5$s END")
                .formatted(staged, LATEST, EARLIEST, type, finite);
    }

    private static String fromTime(String value, String type, String finite) {
        return ("CASE WHEN isfinite(%1$s) THEN %5$s"
                        + " WHEN %1$s = CAST('infinity' AS %4$s) THEN %2$s"
                        + " WHEN %1$s IS NOT NULL THEN %3$s END")
                .formatted(value, LATEST, EARLIEST, type, finite);
    }

    /** Names as a list of SQL. */
    public static String names(List<Column> columns) {
        return columns.stream()
                .map(column -> DuckDb.name(column.name()))
                .collect(Collectors.joining(", "));
    }
}
