package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;

/**
 * Reads texts as a type that is named for them. A text that does not say exactly one value of the
 * type is refused: a fraction is no whole number, a time is no day, and a moment names its zone.
 */
final class NamedTypes {
    private static final String DAY = "\\d{4,6}-\\d{2}-\\d{2}";
    private static final String CLOCK = "[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6}0*)?)?";
    private static final String BEFORE_CHRIST = "( \\(BC\\))?";
    private static final String INFINITE = "-?infinity";
    private static final String ZONE = " ?(Z|UTC|[+-]\\d{2}(:?\\d{2})?)";

    private NamedTypes() {}

    /** The expression of the value that the text in column {@code name} says. */
    static String value(ColumnType type, String name) {
        String text = DuckDb.name(name);
        String refusal =
                "error(%s || %s || %s)"
                        .formatted(
                                DuckDb.text("column '" + name + "' has '"),
                                text,
                                DuckDb.text("', which is no " + type + wanted(type)));
        String fits = "regexp_full_match(%s, %s)".formatted(text, DuckDb.text(form(type)));
        if (type == ColumnType.REAL) {
            fits +=
                    " AND (isfinite(TRY_CAST(%1$s AS DOUBLE)) OR regexp_matches(%1$s, '(?i)n'))"
                            .formatted(text); // What is too large would be infinite.
        }
        return "CASE WHEN %s IS NULL THEN NULL WHEN %s THEN %s ELSE %s END"
                .formatted(text, fits, converted(type, text), refusal);
    }

    private static String form(ColumnType type) {
        return switch (type) {
            case BOOLEAN -> "(?i)true|false|t|f|1|0";
            case INTEGER -> "[+-]?\\d+";
            case REAL -> "(?i)[+-]?(\\d+(\\.\\d*)?|\\.\\d+)(e[+-]?\\d+)?|nan|[+-]?inf(inity)?";
            case DECIMAL -> "[+-]?\\d+(\\.\\d+)?|NaN|-?Infinity";
            case DATE -> DAY + BEFORE_CHRIST + "|" + INFINITE;
            case DATETIME -> DAY + BEFORE_CHRIST + CLOCK + "|" + INFINITE;
            case INSTANT -> DAY + CLOCK + ZONE + "|" + INFINITE;
            case TEXT -> "(?s).*";
            case BYTES ->
                    throw new ConfigException(
                            "bytes are named for a column of CSV, which has texts alone: name"
                                    + " text");
        };
    }

    private static String converted(ColumnType type, String text) {
        return switch (type) {
            case TEXT -> text;
            case DECIMAL -> "ltrim(" + text + ", '+')";
            case BOOLEAN, INTEGER, REAL, DATE, DATETIME, INSTANT, BYTES ->
                    "CAST(%s AS %s)".formatted(text, SqlColumns.type(type));
        };
    }

    private static String wanted(ColumnType type) {
        return switch (type) {
            case BOOLEAN -> " (true or false)";
            case INTEGER -> " (a whole number)";
            case DECIMAL -> " (a number without an exponent)";
            case DATE -> " (such as 2026-01-31)";
            case DATETIME ->
                    " (such as 2026-01-31 10:00:00, in microseconds at most, without a zone)";
            case INSTANT ->
                    " (such as 2026-01-31T10:00:00Z, in microseconds at most, with its zone)";
            case REAL, TEXT, BYTES -> "";
        };
    }
}
