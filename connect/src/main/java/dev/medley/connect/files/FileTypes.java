package dev.medley.connect.files;

import dev.medley.connect.table.ColumnType;
import java.util.Locale;

/**
 * Says which column type holds the values of a type of DuckDB without loss. What has no match is
 * kept as text.
 */
final class FileTypes {
    private FileTypes() {}

    static ColumnType of(String type) {
        String upper = type.toUpperCase(Locale.ROOT);
        if (upper.startsWith("DECIMAL") && !upper.endsWith("]")) {
            return ColumnType.DECIMAL;
        }
        return switch (upper) {
            case "BOOLEAN" -> ColumnType.BOOLEAN;
            case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER" ->
                    ColumnType.INTEGER;
            case "UBIGINT", "HUGEINT", "UHUGEINT" -> ColumnType.DECIMAL;
            case "FLOAT", "DOUBLE" -> ColumnType.REAL;
            case "DATE" -> ColumnType.DATE;
            case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS" -> ColumnType.DATETIME;
            case "TIMESTAMP WITH TIME ZONE" -> ColumnType.INSTANT;
            case "BLOB" -> ColumnType.BYTES;
            default -> ColumnType.TEXT;
        };
    }

    /** The expression of a value in the type that {@link dev.medley.connect.sql} expects. */
    static String value(String type, String name) {
        String upper = type.toUpperCase(Locale.ROOT);
        boolean isNested =
                upper.endsWith("]") || upper.startsWith("STRUCT") || upper.startsWith("MAP");
        return switch (of(type)) {
            case TEXT ->
                    isNested
                            ? "CAST(to_json(" + name + ") AS VARCHAR)"
                            : "CAST(" + name + " AS VARCHAR)";
            case DECIMAL -> "CAST(" + name + " AS VARCHAR)";
            case INTEGER -> "CAST(" + name + " AS BIGINT)";
            case REAL -> "CAST(" + name + " AS DOUBLE)";
            case DATETIME -> "CAST(" + name + " AS TIMESTAMP)";
            case BOOLEAN, DATE, INSTANT, BYTES -> name;
        };
    }
}
