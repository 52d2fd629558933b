package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Joins features to rows as of each row's time. A feature's row counts for a row if it happened and
 * was known at or before the row's time; of those the one that happened last is taken, and of its
 * corrections the one known last. So a backfill of the past changes no training set of before.
 * Where it is not known when a row became known, it counts as known when it happened.
 *
 * <p>Where nobody can say when a row became known, which is so for what was there before the loop
 * first looked, it counts as known when it happened.
 *
 * <p>Two orders of time make more than one inequality, and an ordered join takes one. A feature's
 * row can be used from {@code max(happened, known)} on; in the order of that, only rows that are
 * the latest to have happened so far are ever an answer. What is left after the others are dropped
 * is ordered by both, and one ordered join finds it: O(n log n), whatever the data.
 *
 * <p>A row that its source deletes counts until the deletion is known, where the feature's query
 * hands {@code _deleted} on.
 *
 * <p>Every row of the left side is in the answer once, in its order.
 *
 * <p>Thread: one.
 */
public final class AsOfJoin {
    private static final String ROW = "_row";
    private static final String FEATURE_ROW = "_feature_row";
    private static final String FROM = "_from";
    private static final int KEY_COLUMNS_SHOWN = 5;

    private final Connection connection;
    private final String left;
    private final String at;
    private final List<String> leftColumns;

    /**
     * For the rows of a table or view.
     *
     * @param connection a DuckDB's; tables for the time of the join are made in it
     * @param left the table's name; its columns keep their names
     * @param at the column with each row's time
     */
    public AsOfJoin(Connection connection, String left, String at) {
        this.connection = connection;
        this.left = left;
        this.at = at;
        this.leftColumns = columns("SELECT * FROM " + DuckDb.name(left), "the rows");
        require(leftColumns, List.of(at), "the rows");
    }

    /**
     * Makes {@code into}: the left table's columns, then those of each feature table, whose names
     * must not meet.
     *
     * @throws ConfigException if a query of a feature cannot be run, lacks a column, or has two
     *     rows with one key, time and time of knowledge
     */
    public void join(List<FeatureTable> features, String into) {
        execute(
                "CREATE OR REPLACE TEMP TABLE _rows AS SELECT row_number() OVER () AS %s, * FROM %s"
                        .formatted(ROW, DuckDb.name(left)),
                "the rows");
        Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER); // As the engine has it.
        taken.addAll(leftColumns);
        StringBuilder chosen = new StringBuilder(JoinSql.names("l.", leftColumns));
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < features.size(); i++) {
            FeatureTable feature = features.get(i);
            for (String column : match(feature, i)) {
                if (!taken.add(column)) {
                    throw new ConfigException(
                            "features.%s: column '%s' is there already (large and small letters are one);"
                                            .formatted(feature.name(), column)
                                    + " give it another name in its query");
                }
                chosen.append(", f%d.%s".formatted(i, DuckDb.name(column)));
            }
            joined.append(
                    (" LEFT JOIN _match%d m%d ON m%d.%s = l.%s"
                                    + " LEFT JOIN _feature%d f%d ON f%d.%s = m%d.%s")
                            .formatted(i, i, i, ROW, ROW, i, i, i, FEATURE_ROW, i, FEATURE_ROW));
        }
        execute(
                "CREATE OR REPLACE TEMP TABLE %s AS SELECT %s FROM _rows l%s ORDER BY l.%s"
                        .formatted(DuckDb.name(into), chosen, joined, ROW),
                "the join");
        requireEqual(into);
        for (int i = 0; i < features.size(); i++) {
            execute("DROP TABLE _match" + i, "the join");
            execute("DROP TABLE _feature" + i, "the join");
        }
        execute("DROP TABLE _rows", "the join");
    }

    /** Which row of the feature each row of the left side sees. Gives the feature's columns. */
    private List<String> match(FeatureTable feature, int index) {
        String what = "features." + feature.name();
        compute(feature, what);
        execute(
                "CREATE OR REPLACE TEMP TABLE _feature%d AS SELECT row_number() OVER () AS %s, * FROM (%s)"
                        .formatted(index, FEATURE_ROW, feature.sql()),
                what);
        List<String> columns = columns("SELECT * FROM _feature" + index, what);
        if (!columns.contains(feature.known()) && feature.known().equals(FeatureTable.KNOWN)) {
            throw new ConfigException(
                    ("%s: it gives no column %s, so that a backfill would leak the future; add it"
                         + " (max(_known_at) where rows are summed up), or say known: %s if all is"
                         + " known at once")
                            .formatted(what, FeatureTable.KNOWN, feature.at()));
        }
        boolean hasDeleted = hasDeleted(feature, columns, what);
        require(columns, feature.key(), what);
        require(columns, List.of(feature.at(), feature.known()), what);
        require(leftColumns, feature.key(), "the rows, which are joined with " + what + ",");
        if (hasDeleted) {
            requireKeyOfDeleted(feature, index, what);
        }
        String key = JoinSql.names("", feature.key());
        times(feature, index, hasDeleted, what);
        requireOneAnswer(feature, what);
        String tooOld =
                feature.ttl() == null
                        ? ""
                        : " WHERE l._at - r._at <= INTERVAL '%d milliseconds'"
                                .formatted(feature.ttl().toMillis());
        execute(
                ("CREATE OR REPLACE TEMP TABLE _match%d AS WITH best AS (SELECT *, max((_at,"
                     + " _known)) OVER (PARTITION BY %s ORDER BY %s) AS _best FROM _times), usable"
                     + " AS (SELECT * FROM best WHERE (_at, _known) = _best QUALIFY row_number()"
                     + " OVER (PARTITION BY %s, %s ORDER BY _at DESC, _known DESC) = 1) SELECT"
                     + " l.%s, r.%s FROM (SELECT *, %s::TIMESTAMPTZ AS _at FROM _rows) l ASOF JOIN"
                     + " usable r ON %s AND l._at >= r.%s%s")
                        .formatted(
                                index,
                                key,
                                FROM,
                                key,
                                FROM,
                                ROW,
                                FEATURE_ROW,
                                DuckDb.name(at),
                                JoinSql.equal("l", "r", feature.key()),
                                FROM,
                                tooOld),
                what);
        if (hasDeleted) {
            withoutGone(feature, index, tooOld, what);
        }
        execute("DROP TABLE _times", what);
        List<String> own = new ArrayList<>(columns);
        own.remove(FEATURE_ROW);
        own.removeAll(feature.key());
        own.remove(feature.at());
        own.remove(feature.known());
        own.removeAll(FeatureTable.SYSTEM);
        return own;
    }

    /** Lets a class fill the table that the feature's query reads. */
    private void compute(FeatureTable feature, String what) {
        if (feature.code() != null) {
            try {
                CodeRun.write(connection, feature, feature.code());
            } catch (SQLException e) {
                throw failed(what, e);
            }
        }
    }

    private static boolean hasDeleted(FeatureTable feature, List<String> columns, String what) {
        boolean hasDeleted = columns.contains(FeatureTable.DELETED);
        if (!hasDeleted && feature.isSilentOfDeleted()) {
            throw new ConfigException(
                    ("%s: its query reads what a source had and says nothing of rows that are gone"
                         + " there; add %2$s to its columns, so that a row counts until it is known"
                         + " to be gone, or WHERE NOT %2$s, so that it counts for ever")
                            .formatted(what, FeatureTable.DELETED));
        }
        return hasDeleted;
    }

    /** When each row of a feature happened, was known, and can be used from. */
    private void times(FeatureTable feature, int index, boolean hasDeleted, String what) {
        String key = JoinSql.names("", feature.key());
        execute(
                ("CREATE OR REPLACE TEMP TABLE _times AS SELECT %1$s, %2$s, %3$s AS _gone, %3$s AND"
                     + " %4$s IS NULL AS _all_gone, coalesce(%4$s::TIMESTAMPTZ, CASE WHEN %3$s THEN"
                     + " %5$s::TIMESTAMPTZ END) AS _at, coalesce(%5$s::TIMESTAMPTZ, _at) AS _known,"
                     + " greatest(_at, _known) AS %6$s FROM _feature%7$d WHERE _at IS NOT NULL")
                        .formatted(
                                FEATURE_ROW,
                                key,
                                hasDeleted
                                        ? "coalesce(%s, false)"
                                                .formatted(DuckDb.name(FeatureTable.DELETED))
                                        : "false",
                                DuckDb.name(feature.at()),
                                DuckDb.name(feature.known()),
                                FROM,
                                index),
                what);
    }

    /**
     * A row that is gone is no answer. Where its time is known it alone is gone, and the latest
     * other of its key answers; where it is not, all of its key is gone until a newer one comes.
     */
    private void withoutGone(FeatureTable feature, int index, String tooOld, String what) {
        execute(
                ("CREATE OR REPLACE TEMP TABLE _lost AS SELECT m.%1$s FROM _match%2$d m JOIN _times"
                                + " t ON t.%3$s = m.%3$s WHERE t._gone")
                        .formatted(ROW, index, FEATURE_ROW),
                what);
        execute(
                "DELETE FROM _match%d WHERE %s IN (SELECT %s FROM _lost)"
                        .formatted(index, ROW, ROW),
                what);
        execute(
                ("INSERT INTO _match%1$d WITH seen AS (SELECT l.%2$s, r.%3$s, r._at, r._gone,"
                     + " r._all_gone FROM (SELECT *, %4$s::TIMESTAMPTZ AS _at FROM _rows) l JOIN"
                     + " _lost USING (%2$s) JOIN _times r ON %5$s AND l._at >= r.%6$s%7$s QUALIFY"
                     + " row_number() OVER (PARTITION BY l.%2$s, r._at ORDER BY r._known DESC) ="
                     + " 1), last AS (SELECT * FROM seen WHERE _all_gone OR NOT _gone QUALIFY"
                     + " row_number() OVER (PARTITION BY %2$s ORDER BY _at DESC) = 1) SELECT %2$s,"
                     + " %3$s FROM last WHERE NOT _gone")
                        .formatted(
                                index,
                                ROW,
                                FEATURE_ROW,
                                DuckDb.name(at),
                                JoinSql.equal("l", "r", feature.key()),
                                FROM,
                                tooOld),
                what);
        execute("DROP TABLE _lost", what);
    }

    /** A row that is gone has the source's key alone: whose it was must be in that. */
    private void requireKeyOfDeleted(FeatureTable feature, int index, String what) {
        String unknown =
                feature.key().stream()
                        .map(column -> DuckDb.name(column) + " IS NULL")
                        .collect(Collectors.joining(" OR "));
        String sql =
                "SELECT count(*) FROM _feature%d WHERE %s AND (%s)"
                        .formatted(index, DuckDb.name(FeatureTable.DELETED), unknown);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            long rows = row.getLong(1);
            if (rows > 0) {
                throw new ConfigException(
                        ("%s: of %d rows that are gone it is not known whose they were, since a row"
                             + " that is gone has its source's key alone, and that lacks %s; take"
                             + " %s into the source's key, or say WHERE NOT %s in the query, so"
                             + " that such rows count for ever")
                                .formatted(
                                        what,
                                        rows,
                                        String.join(" or ", feature.key()),
                                        String.join(", ", feature.key()),
                                        FeatureTable.DELETED));
            }
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    private void requireOneAnswer(FeatureTable feature, String what) {
        String key = JoinSql.names("", feature.key());
        String sql =
                ("SELECT %s, _at, _known, count(*) FROM _times GROUP BY ALL HAVING count(*) "
                                + "> 1 ORDER BY ALL LIMIT 1")
                        .formatted(key);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (row.next()) {
                List<String> named = new ArrayList<>();
                int keys = feature.key().size();
                for (int i = 0; i < Math.min(keys, KEY_COLUMNS_SHOWN); i++) {
                    named.add("%s=%s".formatted(feature.key().get(i), row.getString(i + 1)));
                }
                throw new ConfigException(
                        ("%s: %d rows have one key and both times: %s at %s, known at %s; which is"
                             + " meant? Sum them up in the query, or add what tells them apart to"
                             + " its key")
                                .formatted(
                                        what,
                                        row.getLong(keys + 3),
                                        String.join(", ", named),
                                        row.getString(keys + 1),
                                        row.getString(keys + 2)));
            }
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    private void requireEqual(String into) {
        long before = count(left);
        long after = count(into);
        if (before != after) {
            throw new IllegalStateException(
                    "%d rows were joined with features, and %d came out".formatted(before, after));
        }
    }

    private long count(String table) {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT count(*) FROM " + DuckDb.name(table))) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw failed(table, e);
        }
    }

    private static void require(List<String> columns, List<String> wanted, String what) {
        for (String name : wanted) {
            if (!columns.contains(name)) {
                throw new ConfigException(
                        "%s: there is no column '%s'; there are %s"
                                .formatted(what, name, String.join(", ", columns)));
            }
        }
    }

    private List<String> columns(String sql, String what) {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("SELECT * FROM (" + sql + ") LIMIT 0")) {
            ResultSetMetaData about = none.getMetaData();
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= about.getColumnCount(); i++) {
                names.add(about.getColumnName(i));
            }
            return names;
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    private void execute(String sql, String what) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    private static ConfigException failed(String what, SQLException e) {
        return new ConfigException("%s: %s".formatted(what, DuckDb.message(e)), e);
    }
}
