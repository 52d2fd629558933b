package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.ColumnForms;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.column.TableFiles;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.column.TypedTable;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.engine.TableScan;
import dev.medley.data.table.fit.NoColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rows of series in DuckDB, series by series and each in the order of time.
 *
 * @param db that has them
 * @param file for messages
 * @param unit of times
 * @param targets columns that are seen and predicted
 * @param names of each series, its values of the columns that tell series apart
 */
record SeriesRows(
        DuckDb db, Path file, Cadence.Unit unit, List<String> targets, List<List<String>> names) {
    private static final String TABLE = "series_rows";

    SeriesRows {
        targets = List.copyOf(targets);
        names = List.copyOf(names);
    }

    /** Reads files; {@code targets} may be empty, for all columns of numbers. */
    static SeriesRows stage(
            DuckDb db,
            DataSpec spec,
            SeriesSpec series,
            DataFormat format,
            List<Path> files,
            PreparationProgress progress) {
        List<String> targets = series.targets();
        Path file = files.get(0);
        BadRowPolicy policy = new BadRowPolicy(spec.table().badRows());
        TableStaging staging =
                new TableStaging(
                        new TableFiles(db, format, spec.table(), null), db, policy, progress);
        List<String> columns = staging.columnNames(file);
        require("data.series.time", List.of(series.time()), columns, file);
        require("data.series.by", series.by(), columns, file);
        require("data.series.targets", targets, columns, file);
        Set<String> names = new LinkedHashSet<>(targets);
        names.add(series.time());
        names.addAll(series.by());
        Set<String> texts = new HashSet<>(series.by());
        StagedTable staged =
                targets.isEmpty()
                        ? staging.find("series_texts", files, texts)
                        : staging.load("series_texts", files, names, texts, "data.series names");
        Set<String> numbers = new HashSet<>(targets);
        numbers.addAll(spec.table().numeric());
        ColumnForms.Wishes wishes = new ColumnForms.Wishes(texts, numbers, "", Task.FOUND);
        StagedTable found =
                new ColumnForms(db, staging.files(), Clock.system()).found(staged, wishes);
        StagedTable typed =
                new TypedTable(db, policy, staging.files().decimal())
                        .of("series_typed", found, Set.of(), Set.of(), wishes::remedy);
        List<String> read = targets.isEmpty() ? numbers(typed, spec, series) : targets;
        check(
                !read.isEmpty(),
                "%s: has no column of numbers beside '%s' to predict; its columns are: %s",
                file,
                series.time(),
                String.join(", ", columns));
        SeriesRows rows = new SeriesRows(db, file, unit(typed, series, file), read, List.of());
        rows.order(typed, series);
        return new SeriesRows(db, file, rows.unit, read, rows.distinct(series.by().size()));
    }

    private static void require(String what, List<String> wanted, List<String> columns, Path file) {
        for (String column : wanted) {
            if (!columns.contains(column)) {
                throw NoColumn.of(what, column, columns, file);
            }
        }
    }

    private static List<String> numbers(StagedTable typed, DataSpec spec, SeriesSpec series) {
        return typed.columns().stream()
                .filter(c -> c.kind() == ColumnKind.NUMBER)
                .map(Column::name)
                .filter(name -> !name.equals(series.time()))
                .filter(name -> !series.by().contains(name))
                .filter(name -> !spec.table().drop().contains(name))
                .toList();
    }

    private static Cadence.Unit unit(StagedTable typed, SeriesSpec series, Path file) {
        ColumnKind kind = typed.column(series.time()).orElseThrow().kind();
        return switch (kind) {
            case DATE -> Cadence.Unit.DAY;
            case TIMESTAMP -> Cadence.Unit.MOMENT;
            case NUMBER -> Cadence.Unit.NUMBER;
            default ->
                    throw new dev.medley.base.ConfigException(
                            "data.series.time=%s: that column of %s holds neither dates nor numbers"
                                            .formatted(series.time(), file)
                                    + "; name the one that says when");
        };
    }

    private void order(StagedTable typed, SeriesSpec series) {
        List<String> by = series.by().stream().map(name -> sql(typed, name)).toList();
        String code =
                by.isEmpty()
                        ? "0"
                        : "CAST(dense_rank() OVER (ORDER BY %s) - 1 AS INTEGER)"
                                .formatted(String.join(", ", by));
        String select =
                IntStream.range(0, targets.size())
                                .mapToObj(
                                        i -> ", %s AS c%d".formatted(sql(typed, targets.get(i)), i))
                                .collect(Collectors.joining())
                        + IntStream.range(0, by.size())
                                .mapToObj(i -> ", %s AS b%d".formatted(by.get(i), i))
                                .collect(Collectors.joining());
        String time = sql(typed, series.time());
        execute(
                "CREATE TABLE %s AS SELECT %s AS s, %s AS t%s FROM %s ORDER BY s, t"
                        .formatted(TABLE, code, time, select, typed.name()));
        execute("DROP TABLE " + typed.name());
        long none = Long.parseLong(query("SELECT count(*) FROM %s WHERE t IS NULL").get(0).get(0));
        check(
                none == 0,
                "%s, column '%s': %d rows say no time: correct them or leave them out",
                file,
                series.time(),
                none);
    }

    private static String sql(StagedTable table, String column) {
        return table.column(column).orElseThrow().sql();
    }

    private List<List<String>> distinct(int columns) {
        if (columns == 0) {
            return List.of(List.of());
        }
        String by =
                IntStream.range(0, columns)
                        .mapToObj(i -> "coalesce(any_value(b%d), '')".formatted(i))
                        .collect(Collectors.joining(", "));
        return query("SELECT " + by + " FROM %s GROUP BY s ORDER BY s");
    }

    /** Leaves rows out that are at {@code time} or later. */
    void cut(double time) {
        execute("DELETE FROM %s WHERE t >= %s".formatted(TABLE, time));
    }

    /** First and last time of all series. */
    double[] ends() {
        List<String> ends = query("SELECT min(t), max(t) FROM %s").get(0);
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

    /** Hands rows over in order: times, then the targets; codes are series. */
    void scan(TableScan.Sink sink) throws IOException {
        List<String> numbers = new ArrayList<>(List.of("t"));
        IntStream.range(0, targets.size()).forEach(i -> numbers.add("c" + i));
        TableScan.run(db, TABLE, numbers, List.of("s"), List.of(), sink);
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
