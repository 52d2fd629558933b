package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.spec.RowsSpec;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.SourceViews;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares rows as they are known now with what was known of them soon after their time. A column
 * of {@code rows.sql} that changes afterwards shows the future to what is learnt. It finds what
 * changed between syncs, of a few of these: less than there is, and never what is not.
 *
 * <p>Thread: one.
 */
final class RowsThen {
    private static final int MOST_TIMES = 3;
    private static final int COLUMNS_SAID = 5;

    private final LoopPlace place;
    private final SourceViews sources;
    private final RowsSpec rows;

    /** A column, and how many rows have another value now. */
    record Changed(String column, long rows) {}

    /**
     * What has changed.
     *
     * @param compared rows that could be compared
     * @param columns with a change, those of most rows first
     */
    record Compared(long compared, List<Changed> columns) {
        Compared {
            columns = List.copyOf(columns);
        }

        /** What to do; empty where nothing has changed. */
        String words() {
            if (columns.isEmpty()) {
                return "";
            }
            String named =
                    columns.stream()
                            .limit(COLUMNS_SAID)
                            .map(c -> "%s (%,d rows)".formatted(c.column(), c.rows()))
                            .collect(Collectors.joining(", "));
            int more = columns.size() - COLUMNS_SAID;
            return ("rows.sql shows the future: of %,d rows that could be compared with what was"
                            + " known at their time, values have changed since in %s%s; make what"
                            + " changes a feature over NAME_history, or leave it out")
                    .formatted(compared, named, more > 0 ? " and %d more".formatted(more) : "");
        }
    }

    RowsThen(LoopPlace place, SourceViews sources, RowsSpec rows) {
        this.place = place;
        this.sources = sources;
        this.rows = rows;
    }

    /**
     * What has changed until a time.
     *
     * @param folder for files that are gone afterwards
     */
    Compared look(long asOfMs, Path folder) throws IOException {
        List<Path> earlier = new ArrayList<>();
        try {
            for (long time : times(asOfMs)) {
                Path file = folder.resolve("then-%d.parquet".formatted(time));
                if (wrote(time, file)) {
                    earlier.add(file);
                }
            }
            return earlier.isEmpty() ? new Compared(0, List.of()) : compared(asOfMs, earlier);
        } finally {
            for (Path file : earlier) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The first time that all is known at, and others evenly up to the last but one. */
    private List<Long> times(long asOfMs) throws IOException {
        List<Long> all = sources.times(asOfMs);
        int usable = all.size() - 1;
        if (usable <= MOST_TIMES) {
            return all.subList(0, Math.max(0, usable));
        }
        return Stream.of(0, usable / 2, usable - 1).map(all::get).distinct().toList();
    }

    /** The rows of a time; false where the query could not be asked then. */
    private boolean wrote(long timeMs, Path file) throws IOException {
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch())) {
            sources.open(db, timeMs);
            RowMaker.write(
                    db,
                    "* FROM (%s) WHERE CAST(%s AS TIMESTAMPTZ) <= CAST(make_timestamp(%d) AS TIMESTAMPTZ)"
                            .formatted(rows.sql(), DuckDb.name(rows.at()), timeMs * 1000),
                    file);
            return true;
        } catch (SQLException | ConfigException e) {
            return false; // A table or a column was not there yet.
        }
    }

    private Compared compared(long asOfMs, List<Path> earlier) throws IOException {
        List<String> identity = new ArrayList<>(rows.key());
        identity.add(rows.at());
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch())) {
            sources.open(db, asOfMs);
            db.execute("CREATE TEMP TABLE _asked AS SELECT * FROM (" + rows.sql() + ")");
            List<String> columns = new ArrayList<>(columns(db, "_asked"));
            columns.removeAll(identity);
            columns.remove(rows.label());
            List<String> parts = new ArrayList<>();
            for (Path file : earlier) {
                parts.add(part(db, file, columns, identity));
            }
            String names = names("", identity);
            String counts =
                    columns.stream()
                            .map(c -> ", count(*) FILTER (WHERE %s)".formatted(DuckDb.name(c)))
                            .collect(Collectors.joining());
            String any =
                    columns.stream()
                            .map(c -> ", bool_or(%1$s) AS %1$s".formatted(DuckDb.name(c)))
                            .collect(Collectors.joining());
            long[] found =
                    db.longs(
                            "SELECT count(*)%s FROM (SELECT %s%s FROM (%s) GROUP BY %s)"
                                    .formatted(
                                            counts,
                                            names,
                                            any,
                                            String.join(" UNION ALL ", parts),
                                            names));
            List<Changed> changed = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                if (found[i + 1] > 0) {
                    changed.add(new Changed(columns.get(i), found[i + 1]));
                }
            }
            changed.sort(Comparator.comparingLong(Changed::rows).reversed());
            return new Compared(found[0], changed);
        } catch (SQLException e) {
            throw new ConfigException("rows.sql: " + DuckDb.message(e), e);
        }
    }

    /** Of each row that both have, which columns differ. */
    private static String part(DuckDb db, Path file, List<String> columns, List<String> identity)
            throws SQLException {
        String from = "read_parquet(%s)".formatted(DuckDb.path(file));
        Set<String> there = new HashSet<>();
        db.rows("DESCRIBE SELECT * FROM " + from).forEach(row -> there.add(row.get(0)));
        String differ =
                columns.stream()
                        .map(
                                c ->
                                        there.contains(c)
                                                ? ("CAST(a.%1$s AS VARCHAR) IS DISTINCT FROM"
                                                       + " CAST(t.%1$s AS VARCHAR) AS %1$s")
                                                        .formatted(DuckDb.name(c))
                                                : "false AS " + DuckDb.name(c))
                        .map(sql -> ", " + sql)
                        .collect(Collectors.joining());
        String same =
                identity.stream()
                        .map(n -> "a.%1$s IS NOT DISTINCT FROM t.%1$s".formatted(DuckDb.name(n)))
                        .collect(Collectors.joining(" AND "));
        return "SELECT %s%s FROM _asked a JOIN %s t ON %s"
                .formatted(names("a.", identity), differ, from, same);
    }

    private static List<String> columns(DuckDb db, String table) throws SQLException {
        return db.rows("SELECT name FROM pragma_table_info(" + DuckDb.text(table) + ")").stream()
                .map(row -> row.get(0))
                .toList();
    }

    private static String names(String prefix, List<String> names) {
        return names.stream().map(n -> prefix + DuckDb.name(n)).collect(Collectors.joining(", "));
    }
}
