package dev.medley.connect.table;

import dev.medley.base.ConfigException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Describes the columns of a table, in their order, and by which a row is told from another.
 *
 * @param key names of the columns that tell rows apart; none where the table has no key
 */
public record TableSchema(List<Column> columns, List<String> key) {
    public TableSchema {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!names.add(column.name())) {
                throw new ConfigException("column '%s' is there twice".formatted(column.name()));
            }
        }
        for (String name : key) {
            if (!names.contains(name)) {
                throw new ConfigException(
                        "key column '%s' is none of the table's: %s".formatted(name, names));
            }
        }
    }

    /** Where {@code name} stands, from 0 on. */
    public OptionalInt indexOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /** The columns of the key, in its order. */
    public List<Column> keyColumns() {
        return key.stream().map(name -> columns.get(indexOf(name).orElseThrow())).toList();
    }
}
