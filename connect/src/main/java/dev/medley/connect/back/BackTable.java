package dev.medley.connect.back;

import dev.medley.base.ConfigException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Names the columns that are written, as the destination calls them.
 *
 * @param table there
 * @param key the column that names a row: an external id, a primary key
 * @param columns that get values
 */
public record BackTable(String table, String key, List<String> columns) {
    /** Checks that no column is written twice. */
    public BackTable {
        columns = List.copyOf(columns);
        ConfigException.check(!columns.isEmpty(), "no column of %s is to be written", table);
        Set<String> names = new HashSet<>(Set.of(key));
        for (String column : columns) {
            ConfigException.check(
                    names.add(column), "column '%s' of %s is to be written twice", column, table);
        }
    }
}
