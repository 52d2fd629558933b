package dev.medley.tenant.expression;

import org.jspecify.annotations.Nullable;

/**
 * Says what an expression sees of a column.
 *
 * @param sql the value in a query, which cannot fail whatever a row holds
 * @param exact the same as a decimal number with a fraction, which {@code sql} is not; null where
 *     {@code sql} is the value itself
 */
public record ColumnValue(ValueType type, String sql, @Nullable String exact) {
    /** A column whose {@code sql} is the value itself. */
    public ColumnValue(ValueType type, String sql) {
        this(type, sql, null);
    }
}
