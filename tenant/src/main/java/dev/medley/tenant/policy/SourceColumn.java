package dev.medley.tenant.policy;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.expression.ColumnValue;
import dev.medley.tenant.expression.ValueType;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes a column of a shared table.
 *
 * @param type in DuckDB's words, as callers get it
 * @param isText whether the source holds a text that has to become the type
 */
public record SourceColumn(String name, String type, boolean isText) {
    private static final Set<String> INTEGERS =
            Set.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER");
    private static final Set<String> LARGE_INTEGERS = Set.of("UBIGINT", "HUGEINT");
    private static final Set<String> TIMES =
            Set.of("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS");

    private static final Pattern SCALE = Pattern.compile("(?i)DECIMAL\\(\\d+,(\\d+)\\)");
    private static final String DAY = "\\d{4,6}-\\d{2}-\\d{2}";
    private static final String CLOCK = "[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6}0*)?)?";
    private static final String ZONE = " ?(Z|UTC|[+-]\\d{2}(:?\\d{2})?)";

    /** Texts that say one value of a type; a cast would round or cut others. */
    private static final Map<String, String> FORMS =
            Map.of(
                    "BIGINT", "[+-]?\\d+",
                    "DATE", DAY + "|-?infinity",
                    "TIMESTAMP", DAY + "(" + CLOCK + ")?|-?infinity",
                    "TIMESTAMPTZ", DAY + CLOCK + ZONE + "|-?infinity",
                    "TIMESTAMP WITH TIME ZONE", DAY + CLOCK + ZONE + "|-?infinity");

    /** What expressions know its values as. */
    public ValueType kind() {
        String upper = type.toUpperCase(Locale.ROOT);
        if (upper.endsWith("]") || upper.startsWith("STRUCT") || upper.startsWith("MAP")) {
            return ValueType.OTHER;
        } else if (INTEGERS.contains(upper)) {
            return ValueType.INTEGER;
        } else if (TIMES.contains(upper)) {
            return ValueType.DATETIME;
        } else if (LARGE_INTEGERS.contains(upper)) {
            return ValueType.INTEGER;
        } else if (upper.startsWith("DECIMAL")) {
            return upper.endsWith(",0)") ? ValueType.INTEGER : ValueType.NUMBER;
        } else if (upper.startsWith("ENUM")) {
            return ValueType.TEXT;
        }
        return switch (upper) {
            case "BOOLEAN" -> ValueType.BOOLEAN;
            case "FLOAT", "DOUBLE" -> ValueType.NUMBER;
            case "VARCHAR", "UUID" -> ValueType.TEXT;
            case "DATE" -> ValueType.DATE;
            case "TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ" -> ValueType.INSTANT;
            default -> ValueType.OTHER;
        };
    }

    /** The value in the type that callers get; missing where a text is none of the type. */
    public String typed() {
        String own = DuckDb.name(name);
        if (!isText || type.equals("VARCHAR")) {
            return own;
        }
        String form = FORMS.get(type.toUpperCase(Locale.ROOT));
        String cast = "TRY_CAST(%s AS %s)".formatted(own, type);
        return form == null
                ? cast
                : "CASE WHEN regexp_full_match(%s, '%s') THEN %s END".formatted(own, form, cast);
    }

    /** The value as expressions compute with it. */
    public ColumnValue value() {
        ValueType kind = kind();
        String wanted =
                switch (kind) {
                    case INTEGER -> isLarge() ? "HUGEINT" : "BIGINT";
                    case NUMBER -> "DOUBLE";
                    case TEXT -> "VARCHAR";
                    case DATETIME -> "TIMESTAMP";
                    default -> type;
                };
        String sql =
                wanted.equalsIgnoreCase(type)
                        ? typed()
                        : "TRY_CAST(%s AS %s)".formatted(typed(), wanted);
        boolean isDecimal =
                kind == ValueType.NUMBER && type.toUpperCase(Locale.ROOT).startsWith("DECIMAL");
        return new ColumnValue(kind, sql, isDecimal ? typed() : null);
    }

    /** Most digits behind the point that values have. */
    int digits() {
        Matcher decimal = SCALE.matcher(type);
        return decimal.matches()
                ? Integer.parseInt(decimal.group(1))
                : kind() == ValueType.INTEGER ? 0 : Integer.MAX_VALUE;
    }

    /** Whether it holds whole numbers that may need more than 64 bits. */
    public boolean isLarge() {
        return kind() == ValueType.INTEGER && !INTEGERS.contains(type.toUpperCase(Locale.ROOT));
    }
}
