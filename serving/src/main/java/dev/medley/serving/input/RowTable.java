package dev.medley.serving.input;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds rows as a caller wrote them: texts, numbers and flags under names of columns.
 *
 * @param columns different names
 * @param rows each with a String, a Double, a Boolean or null for every column
 */
public record RowTable(List<String> columns, List<@Nullable Object[]> rows) {
    /** Rows of one request: more are for files. */
    public static final int MOST_ROWS = 1_000_000;

    /** Rows times columns of one request. */
    public static final int MOST_CELLS = 5_000_000;

    public RowTable {
        columns = List.copyOf(columns);
    }
}
