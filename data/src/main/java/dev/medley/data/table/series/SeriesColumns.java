package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.DuckDb;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table over time that a model sees, by what they hold.
 *
 * @param numbers that are seen, and of forecasts predicted
 * @param known numbers that are known ahead
 * @param categories of labelled sequences those that are seen, of forecasts those known ahead
 */
record SeriesColumns(List<String> numbers, List<String> known, List<Column> categories) {
    SeriesColumns {
        numbers = List.copyOf(numbers);
        known = List.copyOf(known);
        categories = List.copyOf(categories);
    }

    /**
     * Those that the job names. Where it names none, all numbers; beside a label categories that
     * have few values, too.
     *
     * @param label null for none
     * @param fitted names of a trained model's categories; null to find them out
     */
    static SeriesColumns of(
            DuckDb db,
            Path file,
            StagedTable typed,
            DataSpec spec,
            SeriesSpec series,
            @Nullable String label,
            @Nullable Set<String> fitted) {
        boolean isFitted = fitted != null;
        List<Column> named = named(typed, series.targets());
        List<Column> ahead = named(typed, series.known());
        Stream.concat(named.stream(), ahead.stream())
                .forEach(column -> requireReadable(file, column));
        if (!isFitted) {
            Stream.concat(named.stream(), ahead.stream())
                    .forEach(column -> requireSome(db, file, typed, column));
        }
        boolean isLabelled = label != null || isFitted;
        List<Column> seen = new ArrayList<>(named);
        if (named.isEmpty() && !isFitted) {
            typed.columns().stream()
                    .filter(column -> isFree(column.name(), spec, series, label))
                    .filter(
                            column ->
                                    column.kind() == ColumnKind.NUMBER
                                            || (isLabelled && isSmall(db, typed, column)))
                    .forEach(seen::add);
        }
        // Of a trained model all others are numbers, also where no row has a value.
        Predicate<Column> isCategory =
                fitted == null
                        ? column -> column.kind() == ColumnKind.TEXT
                        : column -> fitted.contains(column.name());
        List<String> numbers = numbers(seen, isCategory);
        List<String> known = numbers(ahead, isCategory);
        List<Column> categories =
                Stream.concat(seen.stream(), ahead.stream()).filter(isCategory).toList();
        check(
                !numbers.isEmpty() || (isLabelled && !categories.isEmpty()),
                "%s: has no column of numbers beside '%s' to read; its columns are: %s",
                file,
                series.time(),
                String.join(", ", typed.columnNames()));
        return new SeriesColumns(numbers, known, categories);
    }

    private static List<Column> named(StagedTable typed, List<String> names) {
        return names.stream().map(name -> typed.column(name).orElseThrow()).toList();
    }

    private static List<String> numbers(List<Column> columns, Predicate<Column> isCategory) {
        return columns.stream().filter(isCategory.negate()).map(Column::name).toList();
    }

    private static boolean isFree(
            String name, DataSpec spec, SeriesSpec series, @Nullable String label) {
        return !name.equals(series.time())
                && !name.equals(label)
                && !series.by().contains(name)
                && !series.known().contains(name)
                && !spec.table().drop().contains(name);
    }

    /** Whether texts are few enough to be categories that nobody named. */
    private static boolean isSmall(DuckDb db, StagedTable typed, Column column) {
        if (column.kind() != ColumnKind.TEXT) {
            return column.kind() == ColumnKind.BOOLEAN;
        }
        long different = different(db, typed, column);
        return different > 1 && different <= SeriesCategories.MOST_VALUES;
    }

    /** Rows to predict may have none: a missing value is one that training knows. */
    private static void requireSome(DuckDb db, Path file, StagedTable typed, Column column) {
        boolean isEmpty = column.kind() == ColumnKind.TEXT && different(db, typed, column) == 0;
        check(
                !isEmpty,
                "%s, column '%s': has no value in any row; leave it out of data.series",
                file,
                column.name());
    }

    private static void requireReadable(Path file, Column column) {
        check(
                column.kind() != ColumnKind.DATE
                        && column.kind() != ColumnKind.TIMESTAMP
                        && column.kind() != ColumnKind.OTHER,
                "%s, column '%s': holds neither numbers nor categories; leave it out of"
                        + " data.series, or name it in data.table.categorical",
                file,
                column.name());
    }

    private static long different(DuckDb db, StagedTable typed, Column column) {
        String count = "SELECT count(DISTINCT %s) FROM %s".formatted(column.text(), typed.name());
        try {
            return Long.parseLong(db.rows(count).get(0).get(0));
        } catch (SQLException e) {
            throw new IllegalStateException(count, e);
        }
    }
}
