package dev.medley.data.table.column;

import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Says which columns of numbers seem to have points between thousands, as 1.200 for 1200: all
 * numbers with a point have three digits behind it, and no other one has more than three digits.
 *
 * @param column of texts that are all numbers
 * @param values that it has
 * @param withPoint those with a point
 * @param pointed those in which it may stand between thousands
 * @param small those below 1000 that have none
 */
public record PointedThousands(
        Column column, long values, long withPoint, long pointed, long small) {
    /** So many rows rule out nearly every column. */
    private static final int FEW_ROWS = 1000;

    private static final String PATTERN = "[-+]?[1-9][0-9]{0,2}([.][0-9]{3})+";

    /**
     * A warning for each column that seems to be meant so.
     *
     * @param known names of those that the job says to be numbers
     */
    static List<String> warnings(
            DuckDb db, StagedTable table, List<Column> numbers, List<String> known) {
        String few = "(SELECT * FROM %s LIMIT %d)".formatted(table.name(), FEW_ROWS);
        List<Column> open =
                of(db, few, numbers).stream()
                        .filter(c -> !known.contains(c.column.name()))
                        .filter(PointedThousands::isOpen)
                        .map(PointedThousands::column)
                        .toList();
        return of(db, table.name(), open).stream()
                .filter(c -> c.isOpen() && c.pointed > 0 && c.small > 0)
                .map(c -> c.warning(db, table))
                .toList();
    }

    /** The same for columns that are read with commas between thousands, as training had them. */
    public static List<String> warningsOfGrouped(DuckDb db, StagedTable table) {
        List<Column> columns =
                table.columns().stream()
                        .filter(Column::isText)
                        .filter(column -> column.form().source() == Source.THOUSANDS)
                        .toList();
        return of(db, table.name(), columns).stream()
                .filter(c -> c.isOpen() && c.pointed > 0)
                .map(
                        c ->
                                c.beginning(db, table)
                                        + " write it with commas, as training had it, or without")
                .toList();
    }

    private static List<PointedThousands> of(DuckDb db, String table, List<Column> columns) {
        List<long[]> counts =
                columns.isEmpty()
                        ? List.of()
                        : new ColumnQuery(db, table)
                                .counts(columns, Column::text, PointedThousands::counts);
        List<PointedThousands> all = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            long[] n = counts.get(i);
            all.add(new PointedThousands(columns.get(i), n[0], n[1], n[2], n[3]));
        }
        return all;
    }

    private static List<String> counts(String text) {
        return List.of(
                "count(" + text + ")",
                "count(*) FILTER (contains(" + text + ", '.'))",
                "count(*) FILTER (" + isPointed(text) + ")",
                "count(*) FILTER (NOT contains(%1$s, '.') AND strlen(ltrim(%1$s, '+-')) <= 3)"
                        .formatted(text));
    }

    private static String isPointed(String text) {
        return "CASE WHEN contains(%1$s, '.') THEN regexp_full_match(%1$s, '%2$s') ELSE false END"
                .formatted(text, PATTERN);
    }

    /** Whether no value shows that a point stands before decimals. */
    private boolean isOpen() {
        return pointed == withPoint && pointed + small == values;
    }

    private String warning(DuckDb db, StagedTable table) {
        return beginning(db, table)
                + " write it without them, as %s, else name the column in data.table.numeric"
                        .formatted(first(db, table).replace(".", ""));
    }

    private String beginning(DuckDb db, StagedTable table) {
        String text = first(db, table);
        return "column '%s': its points may stand between thousands: %s is read as %s; if they do,"
                .formatted(
                        column.name(),
                        text,
                        new BigDecimal(text).stripTrailingZeros().toPlainString());
    }

    private String first(DuckDb db, StagedTable table) {
        return BadRowPolicy.firstValue(db, table, isPointed(column.text()), column.text());
    }
}
