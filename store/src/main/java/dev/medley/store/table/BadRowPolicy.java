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
        if (policy == BadRows.SKIP) {
            skipped += count;
            return;
        }
        throw new ConfigException(rejected(first.get(0), file, columns) + remedy(count));
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
            case "CAST" ->
                    "%s, line %s, column '%s': %s"
                            .formatted(
                                    file,
                                    line,
                                    row.get(1).strip(),
                                    message.replaceFirst(".*Could not convert string ", "the text ")
                                            .replace("to 'DOUBLE'", "is not a number")
                                            .replace("to 'BOOLEAN'", "is not true or false"));
            default -> "%s, line %s: %s".formatted(file, line, message);
        };
    }

    /** Lines of JSON that were no objects became rows without any value. */
    void checkBlankRows(DuckDb db, StagedTable table, DataFormat format) {
        if (format == DataFormat.JSONL && policy == BadRows.SKIP) {
            String blank =
                    table.columns().stream()
                            .map(c -> DuckDb.name(c.name()) + " IS NULL")
                            .collect(Collectors.joining(" AND "));
            delete(db, table, blank);
        }
    }

    /** Rows to learn from that have no label. */
    void checkLabelled(DuckDb db, StagedTable table, String label) {
        check(
                db,
                table,
                DuckDb.name(label) + " IS NULL",
                "''",
                "column '" + label.replace("%", "%%") + "': the label is missing");
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
            if (policy == BadRows.SKIP) {
                delete(db, table, condition);
                return;
            }
            long count =
                    db.longs("SELECT count(*) FROM %s WHERE %s".formatted(table.name(), condition))[
                            0];
            long row = Long.parseLong(first.get(0).get(0));
            throw new ConfigException(
                    table.place(row)
                            + ", "
                            + String.format(Locale.ROOT, trouble, first.get(0).get(1))
                            + remedy(count));
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
