package dev.medley.tenant.expression;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Holds the names that an expression may use.
 *
 * @param columns of the row, by name
 * @param attributes of the caller, by name; none where the caller is not to be asked about
 */
public record ExpressionScope(Map<String, ColumnValue> columns, Map<String, ValueType> attributes) {
    /** Copies, and keeps the order. */
    public ExpressionScope {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }
}
