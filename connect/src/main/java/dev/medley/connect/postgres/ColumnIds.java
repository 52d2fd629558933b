package dev.medley.connect.postgres;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps by what each column of a table is known. In one table that is its number, which stays when
 * it is renamed. A table that was made anew numbers its columns anew; there a column is the one
 * that had its name before, and any other is a new one.
 *
 * @param origin the table whose columns are known by their numbers alone: the first one
 * @param table the one whose columns these are
 */
record ColumnIds(String origin, String table, List<Known> columns) {
    /** A column and by what it is known. */
    record Known(int number, String name, String id) {}

    ColumnIds {
        columns = List.copyOf(columns);
    }

    /**
     * Of the columns of {@code table}, after {@code before}.
     *
     * @param before of the last sync; null at the first one
     */
    static ColumnIds of(String table, List<WireColumn> columns, @Nullable ColumnIds before) {
        String origin = before == null ? table : before.origin;
        boolean isSame = before != null && before.table.equals(table);
        return new ColumnIds(
                origin,
                table,
                columns.stream()
                        .map(
                                c -> {
                                    String name = c.column().name();
                                    Predicate<Known> isIt =
                                            known ->
                                                    isSame
                                                            ? known.number == c.number()
                                                            : known.name.equals(name);
                                    String own =
                                            (table.equals(origin) ? "" : table + ".") + c.number();
                                    Optional<Known> found =
                                            before == null
                                                    ? Optional.empty()
                                                    : before.columns.stream()
                                                            .filter(isIt)
                                                            .findFirst();
                                    return new Known(
                                            c.number(), name, found.map(Known::id).orElse(own));
                                })
                        .toList());
    }

    String id(int number) {
        return columns.stream()
                .filter(known -> known.number == number)
                .findFirst()
                .orElseThrow()
                .id();
    }
}
