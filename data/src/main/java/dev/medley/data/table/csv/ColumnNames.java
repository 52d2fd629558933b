package dev.medley.data.table.csv;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The names of a header's columns, each different from all others. They are made so as pandas makes
 * them: a table which pandas has read and written has the same columns.
 *
 * @param names without spaces around them
 * @param notes what was done, for people
 */
public record ColumnNames(List<String> names, List<String> notes) {
    /** The first column of a table, if the table gives it no name. */
    public static final String INDEX = "Unnamed: 0";

    public ColumnNames {
        names = List.copyOf(names);
        notes = List.copyOf(notes);
    }

    /** The names of the columns of {@code header}. */
    static ColumnNames of(List<String> header) {
        Set<String> given = new HashSet<>();
        header.forEach(name -> given.add(name.strip()));
        Set<String> names = new LinkedHashSet<>();
        List<String> notes = new ArrayList<>();
        for (int i = 0; i < header.size(); i++) {
            String name = header.get(i).strip();
            if (name.isEmpty()) {
                String free = free("Unnamed: " + i, given, names);
                notes.add("column %d has no name and is called '%s'".formatted(i + 1, free));
                names.add(free);
            } else if (!names.add(name)) {
                String free = free(name, given, names);
                notes.add(
                        "the name '%s' stands at several columns: column %d is called '%s'"
                                .formatted(name, i + 1, free));
                names.add(free);
            }
        }
        return new ColumnNames(List.copyOf(names), notes);
    }

    private static String free(String name, Set<String> given, Set<String> names) {
        String free = name;
        for (int i = 1; given.contains(free) || names.contains(free); i++) {
            free = name + "." + i;
        }
        return free;
    }
}
