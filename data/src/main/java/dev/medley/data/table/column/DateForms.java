package dev.medley.data.table.column;

import dev.medley.base.job.DataSpec.Dates;
import dev.medley.base.time.Clock;
import dev.medley.data.table.column.DateOrder.Seen;
import dev.medley.data.table.column.DateOrder.Year;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Finds how the dates of columns are written, from all their values. */
final class DateForms {
    private static final List<String> SEPARATORS = List.of("-", "/", ".");

    private static final String MONTH =
            "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?"
                    + "|oct(ober)?|nov(ember)?|dec(ember)?)[.]?";
    private static final String WITH_MONTH_NAME =
            "([a-z]{3,9},? )?([0-9]{1,4}(st|nd|rd|th)?[ ./,-]{0,2})?"
                    + MONTH
                    + "[ ./,-]{0,2}[0-9]{1,4}(st|nd|rd|th)?([ ./,-]{0,2}[0-9]{2,4})?([ t].*)?";

    /** How most values of a column are written. */
    private record Shape(String separator, Year year) {}

    private final DuckDb db;
    private final Dates asked;
    private final Clock clock;
    private final List<String> warnings = new ArrayList<>();

    /** Dates in the order that the job asks for, where it does. */
    DateForms(DuckDb db, Dates asked, Clock clock) {
        this.db = db;
        this.asked = asked;
        this.clock = clock;
    }

    /** What was taken though it might be meant otherwise, with what to set. */
    List<String> warnings() {
        return warnings;
    }

    /** The condition that a text may be a date of digits. */
    static String looksLikeDate(String text) {
        return DateTexts.matches(text, "[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}");
    }

    /** The condition that a text is a date with the name of a month, as {@code 3 Jan 2021}. */
    static String hasMonthName(String text) {
        return "coalesce(strlen(%1$s) < 40 AND regexp_full_match(lower(%1$s), '%2$s'), false)"
                .formatted(text, WITH_MONTH_NAME);
    }

    /** The forms of columns most of whose values look like dates; of texts where they are none. */
    Map<String, ColumnForm> of(StagedTable table, List<Column> columns) {
        List<Shape> shapes = shapes(table, columns);
        List<Seen> seen = seen(table, columns, shapes);
        Dates elsewhere = elsewhere(seen);
        Map<String, DateOrder> orders = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            orders.put(columns.get(i).name(), DateOrder.of(seen.get(i), asked, elsewhere));
        }
        Function<Column, DateOrder> orderOf = c -> Objects.requireNonNull(orders.get(c.name()));
        List<long[]> found =
                new ColumnQuery(db, table.name())
                        .counts(
                                columns,
                                column -> orderOf.apply(column).pattern(),
                                Column::text,
                                (pattern, text) ->
                                        List.of(
                                                "count(" + text + ")",
                                                "count(" + DateTexts.sql(text, pattern) + ")",
                                                count("contains(" + text + ", ':')")));
        Map<String, ColumnForm> forms = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            String name = columns.get(i).name();
            long[] n = found.get(i);
            boolean isDate = ColumnForms.isMostly(n[1], n[0]);
            ColumnKind kind = n[2] > 0 ? ColumnKind.TIMESTAMP : ColumnKind.DATE;
            DateOrder order = orderOf.apply(columns.get(i));
            forms.put(name, isDate ? ColumnForm.moment(kind, order.pattern()) : ColumnForm.TEXT);
            if (!isDate) {
                warnings.add(
                        String.format(
                                Locale.ROOT,
                                "column '%s' is taken for text: only %,d of its %,d values are"
                                    + " dates as %s; write them all so, or name those that mean no"
                                    + " value in data.table.missing",
                                name,
                                n[1],
                                n[0],
                                order.pattern()));
            }
            if (isDate && order.isAgainst(asked)) {
                warnings.add(
                        ("column '%s': data.table.dates says %s, but its values are no such dates"
                                        + " (%s): they are read %s")
                                .formatted(
                                        name, DateOrder.words(asked), order.why(), order.words()));
            }
            if (isDate && order.isOpen()) {
                warnings.add(
                        "column '%s': its dates may be meant another way, and are read %s (%s: %s);"
                                        .formatted(
                                                name, order.words(), order.pattern(), order.why())
                                + " set data.table.dates: "
                                + (order.words().equals("day-first") ? "month-first" : "day-first")
                                + " if they are not");
            }
        }
        warnings.addAll(ShortYears.warnings(db, table, columns, forms, clock));
        return forms;
    }

    private List<Shape> shapes(StagedTable table, List<Column> columns) {
        List<Shape> kinds = new ArrayList<>();
        for (String separator : SEPARATORS) {
            for (Year year : Year.values()) {
                kinds.add(new Shape(separator, year));
            }
        }
        List<long[]> counts =
                new ColumnQuery(db, table.name())
                        .counts(
                                columns,
                                Column::text,
                                text -> kinds.stream().map(k -> count(is(k, text))).toList());
        List<Shape> shapes = new ArrayList<>();
        for (long[] found : counts) {
            Shape most = kinds.get(0);
            long values = 0;
            for (int k = 0; k < found.length; k++) {
                if (found[k] > values) {
                    most = kinds.get(k);
                    values = found[k];
                }
            }
            shapes.add(most);
        }
        return shapes;
    }

    private static String is(Shape shape, String text) {
        String separator = shape.separator().equals(".") ? "[.]" : shape.separator();
        return DateTexts.matches(text, shape.year().digits(separator));
    }

    private List<Seen> seen(StagedTable table, List<Column> columns, List<Shape> shapes) {
        Map<String, Shape> shapeOf = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            shapeOf.put(columns.get(i).name(), shapes.get(i));
        }
        List<long[]> found =
                new ColumnQuery(db, table.name())
                        .counts(
                                columns,
                                c -> Objects.requireNonNull(shapeOf.get(c.name())),
                                Column::text,
                                DateForms::aboveMonths);
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Shape shape = shapes.get(i);
            long[] n = found.get(i);
            seen.add(new Seen(shape.separator(), shape.year(), n[0], n[1], n[2]));
        }
        return seen;
    }

    private static List<String> aboveMonths(Shape shape, String text) {
        String where = is(shape, text) + " AND ";
        String first = part(text, shape, 1);
        String second = part(text, shape, 2);
        String third = part(text, shape, 3);
        return List.of(
                count(where + first + " > " + DateOrder.MONTHS),
                count(where + second + " > " + DateOrder.MONTHS),
                count(where + "(%s > 12 OR %s > 31)".formatted(second, third)));
    }

    private static String part(String text, Shape shape, int which) {
        return "TRY_CAST(split_part(split_part(replace(%s, 'T', ' '), ' ', 1), '%s', %d) AS INTEGER)"
                .formatted(text, shape.separator(), which);
    }

    /** What the columns that are not open show together. */
    private static Dates elsewhere(List<Seen> seen) {
        Dates shown = Dates.FOUND;
        for (Seen one : seen) {
            Dates proven = DateOrder.proven(one);
            if (proven != Dates.FOUND && shown != Dates.FOUND && proven != shown) {
                return Dates.FOUND;
            }
            shown = proven == Dates.FOUND ? shown : proven;
        }
        return shown;
    }

    private static String count(String condition) {
        return "count(*) FILTER (" + condition + ")";
    }
}
