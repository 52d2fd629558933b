package dev.medley.data.table.fit;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec.Task;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choice of what the label column asks for: classes or values. Texts, booleans, codes with
 * zeros in front and few whole numbers are classes; other numbers are values. The job may say
 * which.
 *
 * @param column of the label
 * @param classes dictionary of the classes; null for values
 */
public record LabelChoice(Column column, @Nullable Dictionary classes) {
    private static final int FEW_NUMBERS = 20;
    private static final int MOST_CLASSES = 10_000;
    private static final String TYPE = "label_classes";

    /** Decides for a table, in which the column has one form. */
    public static LabelChoice of(
            DuckDb db, StagedTable table, Column column, Task task, DecimalMark decimal) {
        String file = table.parts().get(0).file().toString();
        long distinct = distinct(db, table, column.text());
        check(
                distinct > 1 || task == Task.STRENGTH,
                "label '%s' of %s has one value only: there is nothing to learn",
                column.name(),
                file);
        boolean isNumber = column.kind() == ColumnKind.NUMBER;
        if (task.isNumber()
                || (isNumber
                        && task == Task.FOUND
                        && !hasCodes(db, table, column)
                        && (distinct > MOST_CLASSES || !hasFew(db, table, column, decimal)))) {
            return new LabelChoice(column, null);
        }
        check(
                distinct <= MOST_CLASSES,
                "label '%s' of %s has %,d different texts, more than %,d classes: is it an"
                        + " identifier?",
                column.name(),
                file,
                distinct,
                MOST_CLASSES);
        return new LabelChoice(
                column,
                Dictionary.of(
                        db,
                        TYPE,
                        table.name(),
                        column.text(),
                        text -> CategoryKey.ofClass(text, decimal)));
    }

    /**
     * The label of a trained model in new data.
     *
     * @param table of the new data
     */
    public static LabelChoice of(
            DuckDb db,
            StagedTable table,
            Column column,
            LabelEncoding encoding,
            DecimalMark decimal) {
        if (encoding.classes().isEmpty()) {
            return new LabelChoice(column, null);
        }
        return new LabelChoice(
                column,
                Dictionary.of(
                        db,
                        table.name() + "_" + TYPE,
                        encoding.classes(),
                        table.name(),
                        column.text(),
                        List.of(
                                text -> CategoryKey.ofClass(text, decimal),
                                text -> CategoryKey.of(text, decimal))));
    }

    /** Whether the label is a number to predict, not a class. */
    public boolean isValue() {
        return classes == null;
    }

    /** The values of the column in index order; none where numbers are predicted. */
    public List<String> classValues() {
        return classes == null ? List.of() : classes.values();
    }

    /** The index of the class as an INTEGER, below 0 for none; only where there are classes. */
    public String code() {
        return dictionary().value(column.text());
    }

    /** Its texts are forgotten; see {@link Dictionary#forget}. */
    public void forget(DuckDb db) {
        if (classes != null) {
            classes.forget(db);
        }
    }

    /** The place of the class's text as an INTEGER, below 0 for none; see {@link Dictionary}. */
    String textCode() {
        return dictionary().code(column.text());
    }

    private Dictionary dictionary() {
        if (classes == null) {
            throw new IllegalStateException("label '" + column.name() + "' has no classes");
        }
        return classes;
    }

    private static boolean hasFew(
            DuckDb db, StagedTable table, Column column, DecimalMark decimal) {
        List<String> texts =
                query(
                        db,
                        "SELECT DISTINCT %1$s FROM %2$s WHERE %1$s IS NOT NULL"
                                .formatted(column.text(), table.name()));
        return texts.stream().allMatch(text -> CategoryKey.isWhole(text, decimal))
                && texts.stream().map(text -> CategoryKey.of(text, decimal)).distinct().count()
                        <= FEW_NUMBERS;
    }

    private static boolean hasCodes(DuckDb db, StagedTable table, Column column) {
        return !query(
                        db,
                        "SELECT 1 FROM %2$s WHERE regexp_full_match(%1$s, '[-+]?0[0-9]+') LIMIT 1"
                                .formatted(column.text(), table.name()))
                .isEmpty();
    }

    private static long distinct(DuckDb db, StagedTable table, String sql) {
        String count = "SELECT count(DISTINCT %s) FROM %s".formatted(sql, table.name());
        return Long.parseLong(query(db, count).get(0));
    }

    private static List<String> query(DuckDb db, String sql) {
        try {
            return db.rows(sql).stream().map(row -> row.get(0)).toList();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
