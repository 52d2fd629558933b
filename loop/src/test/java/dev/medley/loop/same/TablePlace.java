package dev.medley.loop.same;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.same.FactHistory.FactColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps tables that change from look to look, for a loop to read. */
interface TablePlace extends AutoCloseable {
    /**
     * A table of a place.
     *
     * @param name of letters
     * @param key what tells rows apart
     */
    record Kept(String name, List<FactColumn> columns, List<FactColumn> key) {}

    /**
     * What changes from one look to the next.
     *
     * @param gone keys of rows that are gone or have other values
     * @param put rows that are new or have other values
     * @param all rows that there are then
     */
    record Change(
            List<? extends List<@Nullable String>> gone,
            List<List<@Nullable String>> put,
            List<List<@Nullable String>> all) {}

    /** The source in the file of a loop. */
    String source(Kept table);

    /** Makes the table, without rows. */
    void make(Kept table) throws Exception;

    /** Makes the change. */
    void change(Kept table, Change change) throws Exception;

    @Override
    void close() throws Exception;

    /** Rows as {@code VALUES} has them. */
    static String values(
            List<? extends List<@Nullable String>> rows,
            List<FactColumn> columns,
            boolean isPostgres) {
        return rows.stream()
                .map(row -> "(" + String.join(", ", literals(row, columns, isPostgres)) + ")")
                .collect(Collectors.joining(", "));
    }

    private static List<String> literals(
            List<@Nullable String> row, List<FactColumn> columns, boolean isPostgres) {
        List<String> literals = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            String value = row.get(i);
            literals.add(value == null ? "NULL" : columns.get(i).kind().literal(value, isPostgres));
        }
        return literals;
    }

    /** The key as YAML and SQL have it: names in quotation marks. */
    static String names(List<FactColumn> columns) {
        return columns.stream().map(c -> DuckDb.name(c.name())).collect(Collectors.joining(", "));
    }
}
