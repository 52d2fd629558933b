package dev.medley.data.table.column;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.data.table.csv.CsvLines;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Decides about rows that cannot be used: the first one is an error, or all are left out. */
public final class BadRowPolicy {
    private static final int MOST_SHOWN = 200;
    private static final int MOST_COMPARED = 20;

    private final BadRows policy;
    private long skipped;
    private String firstSkipped = "";

    /** Does with bad rows as the job says. */
    public BadRowPolicy(BadRows policy) {
        this.policy = policy;
    }

    /** Rows left out so far. */
    public long skipped() {
        return skipped;
    }

    /**
     * Rows that DuckDB's CSV reader could not read; the first bytes of those that are left out.
     *
     * @param table that it put them into
     * @param lines of the file that they come from
     */
    long[] checkRejects(DuckDb db, String table, CsvLines lines, int columns) throws SQLException {
        List<List<String>> first =
                db.rows(
                        ("SELECT line_byte_position, column_name, error_type, csv_line,"
                             + " error_message FROM %s ORDER BY line_byte_position, column_idx"
                             + " LIMIT 1")
                                .formatted(table));
        if (first.isEmpty()) {
            return new long[0];
        }
        String trouble = rejected(first.get(0), lines, columns);
        if (policy == BadRows.SKIP) {
            long[] starts =
                    db.column(
                            "SELECT DISTINCT line_byte_position FROM %s ORDER BY line_byte_position"
                                    .formatted(table));
            skipped += starts.length;
            firstSkipped = firstSkipped.isEmpty() ? trouble : firstSkipped;
            return starts;
        }
        String count = "SELECT count(DISTINCT line_byte_position) FROM " + table;
        throw new ConfigException(trouble + remedy(db.longs(count)[0]));
    }

    private static String rejected(List<String> row, CsvLines lines, int columns) {
        Path file = lines.text().file();
        long line = lines.at(Long.parseLong(row.get(0)));
        String message = row.get(4).lines().findFirst().orElse("");
        return switch (row.get(2)) {
            case "MISSING COLUMNS", "TOO MANY COLUMNS" ->
                    "%s, line %s: has %s columns instead of %d: '%s'%s"
                            .formatted(
                                    file,
                                    line,
                                    message.replaceFirst(".*Found: ", ""),
                                    columns,
                                    shown(row.get(3)),
                                    columns == 1 ? "; is the line before it a title?" : "");
            case "INVALID ENCODING" ->
                    "%s, line %s: is not UTF-8; convert the file, as with iconv -f LATIN1 -t UTF-8"
                            .formatted(file, line);
            case "LINE SIZE OVER MAXIMUM" ->
                    "%s, line %s: is longer than 2,000,000 bytes; is a quotation mark not closed?"
                            .formatted(file, line);
            case "UNQUOTED VALUE" ->
                    "%s, line %s: is a quotation mark not closed? There is text behind the end of a"
                                    .formatted(file, line)
                            + " quoted value, or no end: '%s'".formatted(shown(row.get(3)));
            default -> "%s, line %s: %s".formatted(file, line, message);
        };
    }

    private static String shown(String row) {
        String text = row.strip();
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }

    /** How many rows were left out, and why the first of them. */
    public String sentence() {
        return String.format(
                Locale.ROOT,
                "%,d rows left out, since data.table.bad_rows: skip says so; the first: %s",
                skipped,
                firstSkipped);
    }

    /** Why the first row that was left out was; empty if none was. */
    public String firstSkipped() {
        return firstSkipped;
    }

    /**
     * Lines that repeat the header, as files have them that were put one behind the other.
     *
     * @param header of each column its name in the file; empty where that reads as no value
     */
    void checkRepeatedHeader(DuckDb db, StagedTable table, Map<String, String> header) {
        List<StagedTable.Column> columns = table.columns().stream().limit(MOST_COMPARED).toList();
        List<String> same = new ArrayList<>();
        boolean hasNames = false;
        for (StagedTable.Column column : columns) {
            String name = header.getOrDefault(column.name(), "");
            hasNames |= !name.isEmpty();
            same.add(column.text() + (name.isEmpty() ? " IS NULL" : " = " + DuckDb.text(name)));
        }
        if (columns.size() > 1 && hasNames) {
            String repeated = String.join(" AND ", same);
            check(db, table, repeated, "''", "the line of the names stands here once more");
        }
    }

    /** A table needs rows; where all were left out, the first of them says why. */
    void requireSome(long rows, Path file) {
        ConfigException.check(
                rows > 0 || skipped == 0,
                "%s: none of its %,d rows can be read; the first: %s",
                file,
                skipped,
                firstSkipped);
        ConfigException.check(rows > 0, "%s: has no rows", file);
    }

    /** The same of a table whose bad rows were left out. */
    public void requireSome(DuckDb db, StagedTable table) {
        try {
            long rows = db.longs("SELECT count(*) FROM " + table.name())[0];
            requireSome(rows, table.parts().get(0).file());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lines of JSON that were no objects became rows without any value. */
    void checkBlankRows(DuckDb db, StagedTable table, DataFormat format) {
        if (format == DataFormat.JSONL && policy == BadRows.SKIP) {
            String blank =
                    table.columns().stream()
                            .map(c -> c.text() + " IS NULL")
                            .collect(Collectors.joining(" AND "));
            delete(db, table, blank);
        }
    }

    /** Rows to learn from that have no label. */
    public void checkLabelled(DuckDb db, StagedTable table, StagedTable.Column label) {
        check(
                db,
                table,
                label.text() + " IS NULL",
                "''",
                "column '" + literally(label.name()) + "': the label is missing");
    }

    /** Rows whose label is a number beyond those of 32 bits, with which models are trained. */
    public void checkNumbers(DuckDb db, StagedTable table, StagedTable.Column label) {
        check(
                db,
                table,
                "abs(%s) > %s".formatted(label.sql(), (double) Float.MAX_VALUE),
                label.text(),
                "column '%s': the label %%s is too large; divide all labels by the same number"
                        .formatted(literally(label.name())));
    }

    /** Rows whose label is below 0, which no count is. */
    public void checkCounts(DuckDb db, StagedTable table, StagedTable.Column label) {
        check(
                db,
                table,
                label.sql() + " < 0",
                label.text(),
                "column '%s' (data.task: counts): the label %%s is below 0"
                        .formatted(literally(label.name())));
    }

    /** Rows whose label does not say how strongly a user took an item. */
    public void checkStrengths(DuckDb db, StagedTable table, StagedTable.Column label) {
        check(
                db,
                table,
                // A cast would be an error, and a strength that is kept as 0 says nothing.
                "NOT %s BETWEEN %s AND %s"
                        .formatted(label.sql(), (double) Float.MIN_VALUE, (double) Float.MAX_VALUE),
                label.text(),
                ("column '%s' (model.feedback: implicit): the label %%s is not a number above 0,"
                                + " which says how strongly a user took an item")
                        .formatted(literally(label.name())));
    }

    /** Rows whose weight is missing or below 0. */
    public void checkWeighted(DuckDb db, StagedTable table, StagedTable.Column weight) {
        String column = "column '" + literally(weight.name()) + "' (data.weight): the weight ";
        check(db, table, weight.sql() + " IS NULL", "''", column + "is missing");
        check(
                db,
                table,
                "%1$s < 0 OR NOT isfinite(%1$s)".formatted(weight.sql()),
                weight.text(),
                column + "%s is not a number of 0 or more");
        check(
                db,
                table,
                "%s > %s".formatted(weight.sql(), (double) Float.MAX_VALUE),
                weight.text(),
                column + "%s is too large; divide all weights by the same number");
    }

    /** A text as part of a format. */
    public static String literally(String text) {
        return text.replace("%", "%%");
    }

    /** What to do about numbers that have another decimal mark than {@code decimal}. */
    static String decimalRemedy(DataFormat format, DecimalMark decimal) {
        if (decimal == DecimalMark.COMMA) {
            return "write them with a comma, as data.table.decimal says";
        }
        return format == DataFormat.CSV
                ? "set data.table.decimal: \",\""
                : "write them with a point";
    }

    /** The first value for which {@code condition} holds. */
    static String firstValue(DuckDb db, StagedTable table, String condition, String value) {
        try {
            return db.rows(
                            "SELECT %s FROM %s WHERE %s ORDER BY rowid LIMIT 1"
                                    .formatted(value, table.name(), condition))
                    .get(0)
                    .get(0);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Rows for which {@code condition} holds.
     *
     * @param value SQL of the value to show
     * @param trouble what is wrong with it, with %s for the value
     */
    public void check(
            DuckDb db, StagedTable table, String condition, String value, String trouble) {
        try {
            List<List<String>> first =
                    db.rows(
                            "SELECT rowid, CAST(%s AS VARCHAR) FROM %s WHERE %s ORDER BY rowid LIMIT 1"
                                    .formatted(value, table.name(), condition));
            if (first.isEmpty()) {
                return;
            }
            String place = table.place(Long.parseLong(first.get(0).get(0)));
            String what = String.format(Locale.ROOT, trouble, first.get(0).get(1));
            if (policy == BadRows.SKIP) {
                firstSkipped = firstSkipped.isEmpty() ? place + ", " + what : firstSkipped;
                delete(db, table, condition);
                return;
            }
            long count =
                    db.longs("SELECT count(*) FROM %s WHERE %s".formatted(table.name(), condition))[
                            0];
            throw new ConfigException(place + ", " + what + remedy(count));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void delete(DuckDb db, StagedTable table, String condition) {
        try {
            long before = db.longs("SELECT count(*) FROM " + table.name())[0];
            db.execute("DELETE FROM %s WHERE %s".formatted(table.name(), condition));
            skipped += before - db.longs("SELECT count(*) FROM " + table.name())[0];
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String remedy(long count) {
        return "%s; correct the file, or set data.table.bad_rows: skip to leave such rows out"
                .formatted(count > 1 ? String.format(Locale.ROOT, " (%,d such rows)", count) : "");
    }
}
