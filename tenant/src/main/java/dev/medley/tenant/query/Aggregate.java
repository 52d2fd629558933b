package dev.medley.tenant.query;

/**
 * Asks for one number of each group.
 *
 * @param column of its values; {@code *} counts rows
 * @param name in the answer
 */
public record Aggregate(AggregateKind kind, String column, String name) {
    /** Stands for the row itself. */
    public static final String ROWS = "*";
}
