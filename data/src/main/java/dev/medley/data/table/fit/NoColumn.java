package dev.medley.data.table.fit;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.util.List;

/** Makes the error for a column that is missing, with the columns that exist. */
public final class NoColumn {
    private NoColumn() {}

    /** The user's error: {@code what} names {@code column}, and the table has {@code columns}. */
    public static ConfigException of(
            String what, String column, List<String> columns, Object file) {
        String nearest =
                DidYouMean.of(column, columns).map("; did you mean '%s'?"::formatted).orElse("");
        boolean isNameless = columns.get(0).equals("column0");
        return new ConfigException(
                "%s=%s: %s has no such column%s The columns are: %s%s"
                        .formatted(
                                what,
                                column,
                                file,
                                nearest.isEmpty() ? "." : nearest,
                                String.join(", ", columns),
                                isNameless
                                        ? " (no line of names was found; if the first line is one,"
                                                + " set data.table.header: true)"
                                        : ""));
    }
}
