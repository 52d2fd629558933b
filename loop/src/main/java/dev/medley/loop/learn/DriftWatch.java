package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.monitor.CategoryMonitor;
import dev.medley.loop.monitor.CategoryReference;
import dev.medley.loop.monitor.MonitorOptions;
import dev.medley.loop.monitor.NumberMonitor;
import dev.medley.loop.monitor.NumberReference;
import dev.medley.loop.monitor.Standing;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Watches the columns of rows that arrive against those that a model learnt from. Each row that
 * arrived is looked at once, in the window of the run that saw it first; however many runs look, at
 * most the asked share of loops in which nothing changes ever sees an alarm, all columns together.
 *
 * <p>Thread: one.
 */
final class DriftWatch {
    private static final Set<String> NUMBERS =
            Set.of(
                    "TINYINT",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "HUGEINT",
                    "UTINYINT",
                    "USMALLINT",
                    "UINTEGER",
                    "UBIGINT",
                    "FLOAT",
                    "DOUBLE",
                    "DECIMAL");
    private static final Set<String> CATEGORIES = Set.of("VARCHAR", "BOOLEAN", "ENUM");

    private final Path scratch;
    private final Set<String> leftOut;
    private final double alarms;

    /**
     * For a loop.
     *
     * @param scratch where the engine keeps files for a while
     * @param leftOut columns that are not watched
     * @param alarms the share of loops without any change that may ever see an alarm
     */
    DriftWatch(Path scratch, Set<String> leftOut, double alarms) {
        this.scratch = scratch;
        this.leftOut = Set.copyOf(leftOut);
        this.alarms = alarms;
    }

    /**
     * Where each column stands, those with most evidence of a change first. Times are not watched:
     * they go on by themselves.
     *
     * @param reference the file of the rows that the model learnt from
     * @param windows files of the rows that arrived since, one a run, the oldest first
     */
    List<ColumnStanding> look(Path reference, List<Path> windows) throws IOException {
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            Map<String, Boolean> watched = watched(db, reference);
            for (Path window : windows) {
                watched.entrySet()
                        .retainAll(watched(db, window).entrySet()); // Gone, or another kind.
            }
            MonitorOptions options =
                    new MonitorOptions(
                                    MonitorOptions.defaults().promise(),
                                    alarms,
                                    MonitorOptions.defaults().seed())
                            .shared(Math.max(1, watched.size()));
            List<ColumnStanding> standings = new ArrayList<>();
            long seed = 0;
            for (Map.Entry<String, Boolean> column : watched.entrySet()) {
                MonitorOptions own = options.seeded(seed++);
                Standing standing =
                        column.getValue()
                                ? numbers(db, column.getKey(), reference, windows, own)
                                : categories(db, column.getKey(), reference, windows, own);
                if (standing != null) {
                    standings.add(new ColumnStanding(column.getKey(), standing));
                }
            }
            standings.sort(
                    Comparator.comparingDouble((ColumnStanding s) -> s.standing().evidence())
                            .reversed());
            return standings;
        } catch (SQLException e) {
            throw new ConfigException("watch: " + DuckDb.message(e), e);
        }
    }

    /** The columns that are watched, and whether they are numbers. */
    private Map<String, Boolean> watched(DuckDb db, Path reference) throws SQLException {
        Map<String, Boolean> watched = new LinkedHashMap<>();
        String sql = "DESCRIBE SELECT * FROM read_parquet(%s)".formatted(DuckDb.path(reference));
        for (List<String> row : db.rows(sql)) {
            String type = row.get(1).replaceFirst("\\(.*", "");
            boolean isNumber = NUMBERS.contains(type);
            if (!leftOut.contains(row.get(0)) && (isNumber || CATEGORIES.contains(type))) {
                watched.put(row.get(0), isNumber);
            }
        }
        return watched;
    }

    private static @Nullable Standing numbers(
            DuckDb db, String column, Path reference, List<Path> windows, MonitorOptions options)
            throws SQLException {
        double[] before = doubles(db, reference, column);
        if (DoubleStream.of(before).noneMatch(Double::isFinite)) {
            return null; // There is nothing to compare with.
        }
        NumberMonitor monitor =
                new NumberMonitor(NumberReference.of(before, options.seed()), options);
        Standing standing = null;
        for (Path window : windows) {
            standing = monitor.add(doubles(db, window, column));
        }
        return standing;
    }

    private static @Nullable Standing categories(
            DuckDb db, String column, Path reference, List<Path> windows, MonitorOptions options)
            throws SQLException {
        List<@Nullable String> before = texts(db, reference, column);
        if (before.stream().allMatch(text -> text == null)) {
            return null;
        }
        CategoryMonitor monitor = new CategoryMonitor(CategoryReference.of(before), options);
        Standing standing = null;
        for (Path window : windows) {
            standing = monitor.add(texts(db, window, column));
        }
        return standing;
    }

    private static double[] doubles(DuckDb db, Path file, String column) throws SQLException {
        DoubleStream.Builder values = DoubleStream.builder();
        try (Statement statement = db.connection().createStatement();
                ResultSet rows = statement.executeQuery(select("DOUBLE", column, file))) {
            while (rows.next()) {
                double value = rows.getDouble(1);
                values.add(rows.wasNull() ? Double.NaN : value);
            }
        }
        return values.build().toArray();
    }

    private static List<@Nullable String> texts(DuckDb db, Path file, String column)
            throws SQLException {
        List<@Nullable String> values = new ArrayList<>();
        try (Statement statement = db.connection().createStatement();
                ResultSet rows = statement.executeQuery(select("VARCHAR", column, file))) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    private static String select(String type, String column, Path file) {
        return "SELECT CAST(%s AS %s) FROM read_parquet(%s)"
                .formatted(DuckDb.name(column), type, DuckDb.path(file));
    }
}
