package dev.medley.loop.check;

import java.util.List;
import java.util.Map;

/**
 * Holds facts about the rows that are judged.
 *
 * @param earlierRows how many rows earlier windows of the same kind had, in any order
 * @param nowMillis since 1970, by the clock of whoever judges
 * @param repeated rows that repeat an earlier row's values, by the columns of a key
 */
public record TableFacts(
        long rows,
        List<Long> earlierRows,
        long nowMillis,
        Map<String, ColumnFacts> columns,
        Map<List<String>, ColumnFacts.Found> repeated) {
    /** Copies of all. */
    public TableFacts {
        earlierRows = List.copyOf(earlierRows);
        columns = Map.copyOf(columns);
        repeated = Map.copyOf(repeated);
    }
}
