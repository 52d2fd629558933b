package dev.medley.tenant.expression;

/**
 * Says what an expression sees of a column.
 *
 * @param sql the value in a query, which cannot fail whatever a row holds
 */
public record ColumnValue(ValueType type, String sql) {}
