package dev.medley.store.table;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What happens to rows that cannot be used: the first one is an error, or all are left out. */
final class BadRowPolicy {
    private final BadRows policy;
    private long skipped;
    private String firstSkipped = "";

    BadRowPolicy(BadRows policy) {
        this.policy = policy;
    }

    /** Rows left out so far. */
    long skipped() {
        return skipped;
    }

    /** Rows that DuckDB's CSV reader could not read. */
    void checkRejects(DuckDb db, String table, Path file, int columns) throws SQLException {
        List<List<String>> first =
                db.rows(
                        ("SELECT line, column_name, error_type, csv_line, error_message FROM %s"
                                        + " ORDER BY line, column_idx LIMIT 1")
                                .formatted(table));
        if (first.isEmpty()) {
            return;
        }
        long count = db.longs("SELECT count(DISTINCT line) FROM " + table)[0];
        String trouble = rejected(first.get(0), file, columns);
        if (policy == BadRows.SKIP) {
            skipped += count;
            firstSkipped = firstSkipped.isEmpty() ? trouble : firstSkipped;
            return;
        }
        throw new ConfigException(trouble + remedy(count));
    }

    private static String rejected(List<String> row, Path file, int columns) {
        String line = row.get(0);
        String message = row.get(4).lines().findFirst().orElse("");
        return switch (row.get(2)) {
            case "MISSING COLUMNS", "TOO MANY COLUMNS" ->
                    "%s, line %s: has %s columns instead of %d: '%s'"
                            .formatted(
                                    file,
                                    line,
                                    message.replaceFirst(".*Found: ", ""),
                                    columns,
                                    row.get(3));
            case "INVALID ENCODING" ->
                    "%s, line %s: is not UTF-8; convert the file, as with iconv -f LATIN1 -t UTF-8"
                            .formatted(file, line);
            default -> "%s, line %s: %s".formatted(file, line, message);
        };
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
    void requireSome(DuckDb db, StagedTable table) {
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
    void checkLabelled(DuckDb db, StagedTable table, StagedTable.Column label) {
        check(
                db,
                table,
                label.text() + " IS NULL",
                "''",
                "column '" + literally(label.name()) + "': the label is missing");
    }

    /** A text as part of a format. */
    static String literally(String text) {
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
    void check(DuckDb db, StagedTable table, String condition, String value, String trouble) {
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
