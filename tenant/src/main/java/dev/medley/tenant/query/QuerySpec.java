package dev.medley.tenant.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds a question about one table.
 *
 * @param columns to be shown; none where aggregates are asked for, and all where neither is said
 * @param where a condition over the columns that the caller sees; null: all his rows
 * @param groupBy columns; an answer has a row for each of their values
 * @param limit most rows of the answer; null: all, if they are not too many
 */
public record QuerySpec(
        String table,
        List<String> columns,
        List<Aggregate> aggregates,
        @Nullable String where,
        List<String> groupBy,
        List<OrderTerm> orderBy,
        @Nullable Long limit) {
    /** Copies the lists. */
    public QuerySpec {
        columns = List.copyOf(columns);
        aggregates = List.copyOf(aggregates);
        groupBy = List.copyOf(groupBy);
        orderBy = List.copyOf(orderBy);
    }

    boolean isGrouped() {
        return !aggregates.isEmpty() || !groupBy.isEmpty();
    }
}
