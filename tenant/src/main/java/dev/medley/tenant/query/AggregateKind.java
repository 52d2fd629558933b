package dev.medley.tenant.query;

import dev.medley.tenant.expression.ValueType;
import java.util.Locale;

/** Names what is computed from the values of many rows. Missing values are left out. */
public enum AggregateKind {
    COUNT,
    COUNT_DISTINCT,
    /** Of whole numbers exactly; of others as binary floating point, in the rows' order. */
    SUM,
    MEAN,
    MIN,
    MAX;

    /** As a query writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean takes(ValueType type) {
        return switch (this) {
            case COUNT -> true;
            case COUNT_DISTINCT -> type != ValueType.OTHER;
            case SUM, MEAN -> type == ValueType.INTEGER || type == ValueType.NUMBER;
            case MIN, MAX -> type != ValueType.OTHER && type != ValueType.BOOLEAN;
        };
    }

    String sql(String value) {
        return switch (this) {
            case COUNT -> "count(%s)".formatted(value);
            case COUNT_DISTINCT -> "count(DISTINCT %s)".formatted(value);
            case SUM -> "sum(%s)".formatted(value);
            case MEAN -> "avg(%s)".formatted(value);
            case MIN -> "min(%s)".formatted(value);
            case MAX -> "max(%s)".formatted(value);
        };
    }
}
