package dev.medley.tenant.expression;

import java.util.List;

/**
 * Holds a piece of SQL with marks for values, and the values: texts of users are never in the SQL
 * itself.
 *
 * @param parameters a String, Long, Double or Boolean for each {@code ?}, in order
 */
public record SqlFragment(String sql, List<Object> parameters) {
    /** Copies the values. */
    public SqlFragment {
        parameters = List.copyOf(parameters);
    }
}
