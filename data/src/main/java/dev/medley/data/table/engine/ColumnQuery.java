package dev.medley.data.table.engine;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Queries aggregates of many columns of a table. DuckDB takes time for each aggregate of a query,
 * and more than twice as much for twice as many; so long tables are asked for some columns at a
 * time, and short ones are turned into rows of (column, value), where the number of columns costs
 * nothing.
 */
public final class ColumnQuery {
    private static final int FEW_EXPRESSIONS = 200;
    private static final int MANY_COLUMNS = 50;
    private static final long SHORT_ROWS = 10_000;

    private final DuckDb db;
    private final String table;
    private final boolean isShort;

    /** Of the rows that {@code table} has now. */
    public ColumnQuery(DuckDb db, String table) {
        this.db = db;
        this.table = table;
        this.isShort = Long.parseLong(row("SELECT count(*) FROM " + table).get(0)) <= SHORT_ROWS;
    }

    /** Counts of columns: the same aggregates of each. */
    public <C> List<long[]> counts(
            List<C> columns, Function<C, String> input, Function<String, List<String>> aggregates) {
        return counts(columns, column -> "", input, (key, value) -> aggregates.apply(value));
    }

    /** Counts of columns: the same aggregates of those with the same key. */
    public <C, K> List<long[]> counts(
            List<C> columns,
            Function<C, K> key,
            Function<C, String> input,
            BiFunction<K, String, List<String>> aggregates) {
        return values(columns, key, input, aggregates).stream()
                .map(values -> values.stream().mapToLong(Long::parseLong).toArray())
                .toList();
    }

    /**
     * Aggregates of columns as texts, in the order of the columns.
     *
     * @param key of a column, for which the aggregates are the same; so is the type of its input
     * @param input the expression of a column's values
     * @param aggregates expressions for a key and an input; none of them counts missing values
     */
    public <C, K> List<List<String>> values(
            List<C> columns,
            Function<C, K> key,
            Function<C, String> input,
            BiFunction<K, String, List<String>> aggregates) {
        Map<K, List<C>> groups =
                columns.stream()
                        .collect(
                                Collectors.groupingBy(
                                        key, LinkedHashMap::new, Collectors.toList()));
        Map<C, List<String>> found = new HashMap<>();
        groups.forEach(
                (k, same) -> {
                    List<String> inputs = same.stream().map(input).toList();
                    Function<String, List<String>> of = value -> aggregates.apply(k, value);
                    List<List<String>> values =
                            isShort && same.size() > MANY_COLUMNS
                                    ? turned(inputs, of)
                                    : batched(inputs, of);
                    for (int i = 0; i < same.size(); i++) {
                        found.put(same.get(i), values.get(i));
                    }
                });
        return columns.stream().map(column -> found.getOrDefault(column, List.of())).toList();
    }

    private List<List<String>> batched(List<String> inputs, Function<String, List<String>> of) {
        List<List<String>> values = new ArrayList<>();
        int each = of.apply("x").size();
        int some = Math.max(1, FEW_EXPRESSIONS / each);
        for (int from = 0; from < inputs.size(); from += some) {
            List<String> few = inputs.subList(from, Math.min(inputs.size(), from + some));
            String all =
                    few.stream()
                            .flatMap(input -> of.apply(input).stream())
                            .collect(Collectors.joining(", "));
            List<String> row = row("SELECT " + all + " FROM " + table);
            for (int i = 0; i < few.size(); i++) {
                values.add(row.subList(each * i, each * (i + 1)));
            }
        }
        return values;
    }

    private List<List<String>> turned(List<String> inputs, Function<String, List<String>> of) {
        StringBuilder columns = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            columns.append(i == 0 ? "" : ", ").append(inputs.get(i)).append(" AS i").append(i);
        }
        String aggregates = String.join(", ", of.apply("v"));
        String turned =
                ("SELECT n, %s FROM (UNPIVOT (SELECT %s FROM %s) ON COLUMNS(*) INTO NAME n VALUE v)"
                                + " GROUP BY n")
                        .formatted(aggregates, columns, table);
        List<List<String>> rows = new ArrayList<>();
        try {
            db.plainly(() -> rows.addAll(db.rows(turned)));
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(turned, e);
        }
        Map<String, List<String>> byName = new HashMap<>();
        rows.forEach(row -> byName.put(row.get(0), row.subList(1, row.size())));
        List<String> ofNone =
                row(
                        "SELECT %s FROM (SELECT %s AS v FROM %s WHERE false)"
                                .formatted(aggregates, inputs.get(0), table));
        List<List<String>> values = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            values.add(byName.getOrDefault("i" + i, ofNone));
        }
        return values;
    }

    private List<String> row(String sql) {
        try {
            return db.rows(sql).get(0);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
