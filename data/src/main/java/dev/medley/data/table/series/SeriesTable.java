package dev.medley.data.table.series;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.ColumnForms;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.column.TableFiles;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.column.TypedTable;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.NoColumn;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The typed columns of a table whose rows stand for times, which are put in the order of series and
 * time.
 *
 * @param db that has them
 * @param file for messages
 * @param typed the table
 * @param unit of times
 * @param numbers columns of numbers that are seen
 * @param known columns of numbers that are known ahead
 * @param categories columns of them that are seen, or known ahead
 * @param decimal mark of its numbers
 * @param policy for bad rows
 * @param sentences what the user should know of the columns
 */
record SeriesTable(
        DuckDb db,
        Path file,
        StagedTable typed,
        Cadence.Unit unit,
        List<String> numbers,
        List<String> known,
        SeriesCategories categories,
        DecimalMark decimal,
        BadRowPolicy policy,
        List<String> sentences) {
    SeriesTable {
        numbers = List.copyOf(numbers);
        known = List.copyOf(known);
        sentences = List.copyOf(sentences);
    }

    /** What rows become. */
    enum Use {
        /** Windows, whose columns are asked for ahead. */
        WINDOWS,
        /** Sequences, of which a label is asked for. */
        SEQUENCES
    }

    /**
     * Reads files. Where the job names no columns, all numbers but the label are seen, and beside a
     * label categories of few values.
     *
     * @param use what becomes of the rows
     * @param labelColumn the label; null for none, as where labels are predicted
     * @param fitted categories of a trained model; null to find them out
     */
    static SeriesTable read(
            DuckDb db,
            DataSpec spec,
            SeriesSpec series,
            Use use,
            @Nullable String labelColumn,
            @Nullable List<Category> fitted,
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
        List<String> label = labelColumn == null ? List.of() : List.of(labelColumn);
        requireAll(series, use, label, columns, file);
        Set<String> names = new LinkedHashSet<>(targets);
        names.addAll(series.known());
        names.add(series.time());
        names.addAll(series.by());
        names.addAll(label);
        Set<String> texts = new HashSet<>(series.by());
        StagedTable staged =
                targets.isEmpty()
                        ? staging.find("series_texts", files, texts)
                        : staging.load("series_texts", files, names, texts, "data.series names");
        Set<String> categorical = categorical(spec, texts, fitted);
        Set<String> numbers = new HashSet<>(spec.table().numeric());
        if (use == Use.WINDOWS) {
            numbers.addAll(targets);
        }
        ColumnForms.Wishes wishes =
                new ColumnForms.Wishes(categorical, numbers, String.join("", label), spec.task());
        ColumnForms forms = new ColumnForms(db, staging.files(), Clock.system());
        StagedTable found = forms.found(staged, wishes);
        if (fitted != null) {
            // What was a number in training is one, so that a text is told with its row.
            numbers.addAll(textsAmong(found, series, categorical));
            forms = new ColumnForms(db, staging.files(), Clock.system());
            found = forms.found(staged, wishes);
        }
        StagedTable typed =
                new TypedTable(db, policy, staging.files().decimal())
                        .of("series_typed", found, Set.copyOf(label), Set.of(), wishes::remedy);
        SeriesColumns seen =
                SeriesColumns.of(db, file, typed, spec, series, labelColumn, names(fitted));
        DecimalMark decimal = staging.files().decimal();
        SeriesCategories categories = categories(db, typed, seen, fitted, decimal);
        Cadence.Unit unit = unit(typed, series, file);
        Borders.requireTimes(series, unit);
        requirePlaced(db, policy, typed, series);
        return new SeriesTable(
                db,
                file,
                typed,
                unit,
                seen.numbers(),
                seen.known(),
                categories,
                decimal,
                policy,
                forms.sentences());
    }

    private static Set<String> categorical(
            DataSpec spec, Set<String> texts, @Nullable List<Category> fitted) {
        Set<String> categorical = new HashSet<>(texts);
        categorical.addAll(spec.table().categorical());
        if (fitted != null) {
            fitted.forEach(category -> categorical.add(category.name()));
        }
        return categorical;
    }

    private static @Nullable Set<String> names(@Nullable List<Category> fitted) {
        return fitted == null
                ? null
                : fitted.stream().map(Category::name).collect(Collectors.toSet());
    }

    private static SeriesCategories categories(
            DuckDb db,
            StagedTable typed,
            SeriesColumns seen,
            @Nullable List<Category> fitted,
            DecimalMark decimal) {
        if (fitted == null) {
            return SeriesCategories.found(db, typed.name(), seen.categories(), decimal);
        }
        List<Column> columns =
                fitted.stream().map(c -> typed.column(c.name()).orElseThrow()).toList();
        return SeriesCategories.known(db, typed.name(), columns, fitted, decimal);
    }

    private static void requireAll(
            SeriesSpec series, Use use, List<String> label, List<String> columns, Path file) {
        require("data.series.time", List.of(series.time()), columns, file);
        require("data.series.by", series.by(), columns, file);
        require(
                use == Use.WINDOWS ? "data.series.targets" : "data.series.columns",
                series.targets(),
                columns,
                file);
        require("data.series.known", series.known(), columns, file);
        require("data.label", label, columns, file);
    }

    private static List<String> textsAmong(
            StagedTable found, SeriesSpec series, Set<String> categorical) {
        Set<String> names = new HashSet<>(series.targets());
        names.addAll(series.known());
        names.removeAll(categorical);
        return found.columns().stream()
                .filter(column -> column.kind() == ColumnKind.TEXT)
                .map(Column::name)
                .filter(names::contains)
                .toList();
    }

    /** Each row says when, and of which series. */
    private static void requirePlaced(
            DuckDb db, BadRowPolicy policy, StagedTable typed, SeriesSpec series) {
        Column time = typed.column(series.time()).orElseThrow();
        requireValue(db, policy, typed, time, "data.series.time): the time is missing");
        for (String name : series.by()) {
            requireValue(
                    db,
                    policy,
                    typed,
                    typed.column(name).orElseThrow(),
                    "data.series.by): it says not of which series the row is");
        }
        policy.requireSome(db, typed);
    }

    private static void requireValue(
            DuckDb db, BadRowPolicy policy, StagedTable typed, Column column, String trouble) {
        String name = BadRowPolicy.literally(column.name());
        policy.check(
                db,
                typed,
                column.sql() + " IS NULL",
                "''",
                "column '%s' (%s".formatted(name, trouble));
    }

    private static void require(String what, List<String> wanted, List<String> columns, Path file) {
        for (String column : wanted) {
            if (!columns.contains(column)) {
                throw NoColumn.of(what, column, columns, file);
            }
        }
    }

    private static Cadence.Unit unit(StagedTable typed, SeriesSpec series, Path file) {
        ColumnKind kind = typed.column(series.time()).orElseThrow().kind();
        return switch (kind) {
            case DATE -> Cadence.Unit.DAY;
            case TIMESTAMP -> Cadence.Unit.MOMENT;
            case NUMBER -> Cadence.Unit.NUMBER;
            default ->
                    throw new ConfigException(
                            "data.series.time=%s: that column of %s holds neither dates nor numbers"
                                            .formatted(series.time(), file)
                                    + "; name the one that says when");
        };
    }

    /** What was found, with the rows that were left out. */
    static Ingested.Findings findings(
            List<BadRowPolicy> policies, boolean hasTargets, List<Long> counts, List<String> told) {
        List<String> sentences = new ArrayList<>(told);
        policies.stream()
                .filter(policy -> policy.skipped() > 0)
                .map(BadRowPolicy::sentence)
                .forEach(sentences::add);
        return new Ingested.Findings(
                policies.stream().mapToLong(BadRowPolicy::skipped).sum(),
                hasTargets,
                counts,
                sentences);
    }

    /** Where the rows of an ordered table came from. */
    RowPlaces places(String ordered) {
        return new RowPlaces(db, typed, ordered);
    }

    /** What a column of numbers is in SQL; one without a value in any row has no number. */
    String number(String column) {
        boolean isEmpty = typed.column(column).orElseThrow().kind() == ColumnKind.TEXT;
        return isEmpty ? "CAST(NULL AS DOUBLE)" : sql(column);
    }

    /** What a column is in SQL. */
    String sql(String column) {
        return typed.column(column).orElseThrow().sql();
    }

    /**
     * Makes the table {@code name} with the number {@code s} of the series, the time {@code t} and
     * {@code select} as {@code c0}, {@code c1} and so on, in order, rows of one time as they lie,
     * and the row {@code r} that each was; what was read is dropped. Gives the names of the series.
     */
    List<List<String>> order(String name, SeriesSpec series, List<String> select) {
        List<String> by =
                series.by().stream().map(c -> "coalesce(%s, '')".formatted(sql(c))).toList();
        String code =
                by.isEmpty()
                        ? "0"
                        : "CAST(dense_rank() OVER (ORDER BY %s) - 1 AS INTEGER)"
                                .formatted(String.join(", ", by));
        String more =
                Stream.concat(named(select, "c"), named(by, "b")).collect(Collectors.joining());
        execute(
                ("CREATE TABLE %s AS SELECT %s AS s, %s AS t, rowid AS r%s FROM %s ORDER BY s,"
                                + " t, rowid")
                        .formatted(name, code, sql(series.time()), more, typed.name()));
        execute("DROP TABLE " + typed.name());
        return names(name, by.size());
    }

    private static Stream<String> named(List<String> select, String letter) {
        return IntStream.range(0, select.size())
                .mapToObj(i -> ", %s AS %s%d".formatted(select.get(i), letter, i));
    }

    private List<List<String>> names(String name, int columns) {
        if (columns == 0) {
            return List.of(List.of());
        }
        List<String> by = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            by.add("any_value(b%d)".formatted(i));
        }
        return query(
                "SELECT %s FROM %s GROUP BY s ORDER BY s".formatted(String.join(", ", by), name));
    }

    private List<List<String>> query(String sql) {
        try {
            return db.rows(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
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
