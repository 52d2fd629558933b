package dev.medley.data.table.column;

import dev.medley.base.time.Clock;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Says which columns of dates seem to have years of two digits that are meant a century earlier: 45
 * is read as 2045, and in a column of births that is 1945.
 */
final class ShortYears {
    private static final long YEAR_2000 = LocalDate.of(2000, 1, 1).toEpochDay();
    private static final long FAR_DAYS = 20 * 365;

    private ShortYears() {}

    /** A warning for each column with such a date; {@code forms} has how each is read. */
    static List<String> warnings(
            DuckDb db,
            StagedTable table,
            List<Column> columns,
            Map<String, ColumnForm> forms,
            Clock clock) {
        List<Column> some =
                columns.stream()
                        .filter(c -> pattern(c, forms).contains("%y"))
                        .filter(Column::isText)
                        .toList();
        if (some.isEmpty()) {
            return List.of();
        }
        List<long[]> found =
                new ColumnQuery(db, table.name())
                        .counts(
                                some,
                                c -> pattern(c, forms),
                                Column::text,
                                (pattern, text) ->
                                        List.of(
                                                days("min", value(text, pattern)),
                                                days("max", value(text, pattern))));
        long today = Duration.ofMillis(clock.wallMillis()).toDays();
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            long first = found.get(i)[0];
            long last = found.get(i)[1];
            if (last > today && (first < YEAR_2000 || last > today + FAR_DAYS)) {
                warnings.add(warning(db, table, some.get(i), pattern(some.get(i), forms), last));
            }
        }
        return warnings;
    }

    private static String warning(
            DuckDb db, StagedTable table, Column column, String pattern, long last) {
        String text = column.text();
        String isLast = "floor(" + value(text, pattern) + " / 86400) = " + last;
        return "column '%s': its years have two digits, of which 69 to 99 are read as 1969 to 1999 and"
                        .formatted(column.name())
                + " others as 2000 to 2068: %s is read as a day of %d; write four digits if that is"
                        .formatted(
                                BadRowPolicy.firstValue(db, table, isLast, text),
                                LocalDate.ofEpochDay(last).getYear())
                + " not meant";
    }

    private static String pattern(Column column, Map<String, ColumnForm> forms) {
        return Objects.requireNonNull(forms.get(column.name())).dates();
    }

    /** The seconds since 1970 of texts with a year of two digits alone. */
    private static String value(String text, String pattern) {
        return "CASE WHEN %s THEN %s END"
                .formatted(DateTexts.isOf(text, pattern), DateTexts.sql(text, pattern));
    }

    private static String days(String aggregate, String value) {
        return "coalesce(CAST(floor(%s(%s) / 86400) AS BIGINT), 0)".formatted(aggregate, value);
    }
}
