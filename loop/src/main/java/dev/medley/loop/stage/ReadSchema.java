package dev.medley.loop.stage;

import dev.medley.connect.table.ColumnType;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells what a model reads of a source: versions of its columns that have these as they are.
 *
 * @param source its name
 * @param version of the columns when the model was made
 * @param columns that its queries use, and of which kind they are
 */
public record ReadSchema(String source, int version, Map<String, ColumnType> columns) {
    public ReadSchema {
        columns = Map.copyOf(columns);
    }

    /**
     * Why columns as they are now cannot be read; empty where they can: more columns are fine, as
     * are wider ones, but none that is used may be gone or of another kind.
     */
    String against(ReadSchema now) {
        for (Map.Entry<String, ColumnType> column : new TreeMap<>(columns).entrySet()) {
            ColumnType kind = now.columns().get(column.getKey());
            if (kind != column.getValue()) {
                return "it reads %s as of version %d of its columns, and in version %d '%s' is %s"
                        .formatted(
                                source,
                                version,
                                now.version(),
                                column.getKey(),
                                kind == null
                                        ? "gone"
                                        : "%s, and was %s".formatted(kind, column.getValue()));
            }
        }
        return "";
    }
}
