package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.engine.TableScan;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of series in DuckDB, series by series and each in the order of time.
 *
 * @param db that has them
 * @param file for messages
 * @param unit of times
 * @param targets columns that are seen and predicted
 * @param known columns of numbers that are known ahead
 * @param categories columns of them that are known ahead
 * @param names of each series, its values of the columns that tell series apart
 * @param places of rows in files
 * @param policy for bad rows
 * @param sentences what the user should know of the columns
 */
record SeriesRows(
        DuckDb db,
        Path file,
        Cadence.Unit unit,
        List<String> targets,
        List<String> known,
        SeriesCategories categories,
        List<List<String>> names,
        RowPlaces places,
        BadRowPolicy policy,
        List<String> sentences) {
    private static final String TABLE = "series_rows";

    SeriesRows {
        targets = List.copyOf(targets);
        known = List.copyOf(known);
        names = List.copyOf(names);
        sentences = List.copyOf(sentences);
    }

    /**
     * Reads files; {@code targets} may be empty, for all columns of numbers.
     *
     * @param fitted categories of a trained model; null to find them out
     */
    static SeriesRows stage(
            DuckDb db,
            DataSpec spec,
            SeriesSpec series,
            @Nullable List<Category> fitted,
            DataFormat format,
            List<Path> files,
            PreparationProgress progress) {
        SeriesTable table =
                SeriesTable.read(
                        db,
                        spec,
                        series,
                        SeriesTable.Use.WINDOWS,
                        null,
                        fitted,
                        format,
                        files,
                        progress);
        List<String> columns = new ArrayList<>(table.numbers());
        columns.addAll(table.known());
        List<String> select = new ArrayList<>(columns.stream().map(table::number).toList());
        SeriesCategories categories = table.categories();
        for (String name : categories.names()) {
            select.add(categories.code(table.typed().column(name).orElseThrow()));
        }
        List<List<String>> names = table.order(TABLE, series, select);
        categories.forget(db);
        return new SeriesRows(
                db,
                files.get(0),
                table.unit(),
                table.numbers(),
                table.known(),
                categories,
                names,
                table.places(TABLE),
                table.policy(),
                table.sentences());
    }

    /** Leaves rows out that are at {@code time} or later; {@code until} is the time as written. */
    void cut(double time, String until) {
        execute("DELETE FROM %s WHERE t >= %s".formatted(TABLE, time));
        check(
                !query("SELECT 1 FROM %s LIMIT 1").isEmpty(),
                "data.series.until=%s: no row of %s is before it: name a later time",
                until,
                file);
    }

    /** Columns of numbers: targets, and behind them those that are known ahead. */
    List<String> columns() {
        return Stream.concat(targets.stream(), known.stream()).toList();
    }

    /** First and last time of all series; rows that only say what is known ahead are no part. */
    double[] ends() {
        String some =
                IntStream.range(0, targets.size())
                        .mapToObj(i -> "c%d IS NOT NULL".formatted(i))
                        .collect(Collectors.joining(" OR "));
        List<String> ends = query("SELECT min(t), max(t) FROM %s WHERE " + some).get(0);
        return new double[] {Double.parseDouble(ends.get(0)), Double.parseDouble(ends.get(1))};
    }

    /** Found from the distances of the rows of each series. */
    Cadence cadence() {
        List<String> distances =
                query(
                                "SELECT min(d), max(d) FROM (SELECT t - lag(t) OVER (PARTITION BY s"
                                        + " ORDER BY t) AS d FROM %s) WHERE d > 0")
                        .get(0);
        check(
                distances.get(0) != null,
                "%s: no series has two rows of different times; name what tells series apart in"
                        + " data.series.by",
                file);
        return Cadence.of(
                unit, Double.parseDouble(distances.get(0)), Double.parseDouble(distances.get(1)));
    }

    /** Whether some columns are known ahead. */
    boolean hasAhead() {
        return !known.isEmpty() || !categories.names().isEmpty();
    }

    /**
     * Hands rows over in order: times, then {@link #columns}; codes are series, then categories.
     */
    void scan(TableScan.Sink sink) throws IOException {
        List<String> numbers = new ArrayList<>(List.of("t"));
        IntStream.range(0, columns().size()).forEach(i -> numbers.add("c" + i));
        List<String> codes = new ArrayList<>(List.of("s"));
        for (int c = 0; c < categories.names().size(); c++) {
            codes.add("c" + (columns().size() + c));
        }
        TableScan.run(db, TABLE, numbers, codes, List.of(), sink);
    }

    /** A series for messages. */
    String nameOf(int series) {
        List<String> name = names.get(series);
        return name.isEmpty() ? "the series" : "the series '" + String.join(", ", name) + "'";
    }

    private List<List<String>> query(String sql) {
        String whole = sql.formatted(TABLE);
        try {
            return db.rows(whole);
        } catch (SQLException e) {
            throw new IllegalStateException(whole, e);
        }
    }

    private void execute(String sql) {
        try {
            db.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
