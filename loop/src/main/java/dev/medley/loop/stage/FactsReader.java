package dev.medley.loop.stage;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.check.ColumnFacts;
import dev.medley.loop.check.DataCheck;
import dev.medley.loop.check.TableFacts;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a table what checks ask for, and no more.
 *
 * <p>Thread: one.
 */
final class FactsReader {
    private static final int MOST_VALUES = 10_000;

    private final DuckDb db;

    /** Of tables and views of {@code db}. */
    FactsReader(DuckDb db) {
        this.db = db;
    }

    /**
     * The facts.
     *
     * @param table a table or view
     * @param checks that ask
     * @param earlierRows how many rows earlier runs had
     */
    TableFacts read(String table, List<DataCheck> checks, List<Long> earlierRows, long nowMs)
            throws SQLException {
        Map<String, String> types = types(table);
        Set<String> asked = new TreeSet<>();
        checks.forEach(check -> asked.addAll(check.columns()));
        Map<String, ColumnFacts> columns = new HashMap<>();
        for (String column : types.keySet()) {
            columns.put(
                    column,
                    asked.contains(column)
                            ? column(table, column, types.getOrDefault(column, ""), checks)
                            : ColumnFacts.ofNulls(0));
        }
        Map<List<String>, ColumnFacts.Found> repeated = new HashMap<>();
        for (DataCheck check : checks) {
            if (check instanceof DataCheck.Unique unique
                    && types.keySet().containsAll(unique.columns())) {
                repeated.put(unique.columns(), repeated(table, unique.columns()));
            }
        }
        long all = db.longs("SELECT count(*) FROM " + DuckDb.name(table))[0];
        return new TableFacts(all, earlierRows, nowMs, columns, repeated);
    }

    private Map<String, String> types(String table) throws SQLException {
        Map<String, String> types = new HashMap<>();
        for (List<String> row : db.rows("DESCRIBE " + DuckDb.name(table))) {
            types.put(row.get(0), row.get(1));
        }
        return types;
    }

    private ColumnFacts column(String table, String column, String type, List<DataCheck> checks)
            throws SQLException {
        String name = DuckDb.name(column);
        boolean isTime = type.startsWith("TIMESTAMP") || type.equals("DATE");
        String number = "TRY_CAST(%s AS DOUBLE)".formatted(isTime ? "NULL" : name);
        String time = isTime ? "epoch_ms(max(CAST(%s AS TIMESTAMP)))".formatted(name) : "NULL";
        List<String> row =
                db.rows(
                                "SELECT count(*) - count(%s), min(%s), max(%s), %s FROM %s"
                                        .formatted(name, number, number, time, DuckDb.name(table)))
                        .get(0);
        return new ColumnFacts(
                Long.parseLong(row.get(0)),
                number(row.get(1)),
                number(row.get(2)),
                row.get(3) == null ? null : Long.valueOf(row.get(3)),
                values(table, column, checks),
                orphans(table, column, checks));
    }

    private static @Nullable Double number(@Nullable String text) {
        return text == null ? null : Double.valueOf(text);
    }

    private Map<String, Long> values(String table, String column, List<DataCheck> checks)
            throws SQLException {
        boolean isAsked =
                checks.stream()
                        .anyMatch(
                                check ->
                                        check instanceof DataCheck.Allowed allowed
                                                && allowed.column().equals(column));
        Map<String, Long> values = new HashMap<>();
        if (isAsked) {
            String sql =
                    ("SELECT CAST(%1$s AS VARCHAR), count(*) FROM %2$s WHERE %1$s IS NOT NULL "
                                    + "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %3$d")
                            .formatted(DuckDb.name(column), DuckDb.name(table), MOST_VALUES);
            for (List<String> row : db.rows(sql)) {
                values.put(row.get(0), Long.valueOf(row.get(1)));
            }
        }
        return values;
    }

    private Map<String, ColumnFacts.Found> orphans(
            String table, String column, List<DataCheck> checks) throws SQLException {
        Map<String, ColumnFacts.Found> orphans = new HashMap<>();
        for (DataCheck check : checks) {
            if (check instanceof DataCheck.Referential referential
                    && referential.column().equals(column)) {
                String target = referential.target();
                int dot = target.indexOf('.');
                String sql =
                        ("SELECT count(*), coalesce(CAST(min(%1$s) AS VARCHAR), '') FROM %2$s WHERE"
                             + " %1$s IS NOT NULL AND %1$s NOT IN (SELECT %3$s FROM %4$s WHERE %3$s"
                             + " IS NOT NULL)")
                                .formatted(
                                        DuckDb.name(column),
                                        DuckDb.name(table),
                                        DuckDb.name(target.substring(dot + 1)),
                                        DuckDb.name(target.substring(0, dot)));
                List<String> row = db.rows(sql).get(0);
                orphans.put(target, new ColumnFacts.Found(Long.parseLong(row.get(0)), row.get(1)));
            }
        }
        return orphans;
    }

    private ColumnFacts.Found repeated(String table, List<String> key) throws SQLException {
        String names = String.join(", ", key.stream().map(DuckDb::name).toList());
        String sql =
                ("WITH twins AS (SELECT %1$s, count(*) AS n FROM %2$s GROUP BY %1$s HAVING count(*)"
                     + " > 1) SELECT coalesce(sum(n - 1), 0), coalesce((SELECT concat_ws(', ',"
                     + " %1$s) FROM twins ORDER BY ALL LIMIT 1), '') FROM twins")
                        .formatted(names, DuckDb.name(table));
        List<String> row = db.rows(sql).get(0);
        return new ColumnFacts.Found(Long.parseLong(row.get(0)), row.get(1));
    }
}
