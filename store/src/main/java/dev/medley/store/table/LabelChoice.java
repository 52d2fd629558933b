package dev.medley.store.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.store.encoding.LabelEncoding;
import dev.medley.store.table.StagedTable.Column;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the label column asks for. Texts, booleans and few whole numbers are classes; other numbers
 * are values.
 *
 * @param column of the label
 * @param classes dictionary of the classes; null for values
 * @param decimal of the numbers, if the column has texts
 */
record LabelChoice(Column column, @Nullable Dictionary classes, DecimalMark decimal) {
    private static final int FEW_NUMBERS = 20;
    private static final int MOST_CLASSES = 10_000;
    private static final String TYPE = "label_classes";

    /**
     * Decides for a table.
     *
     * @param isCategory whether the user says that the label's numbers are classes
     */
    static LabelChoice of(DuckDb db, StagedTable table, String label, boolean isCategory) {
        Column column =
                table.column(label)
                        .orElseThrow(
                                () ->
                                        NoColumn.of(
                                                "data.label",
                                                label,
                                                table.columnNames(),
                                                table.parts().get(0).file()));
        boolean isNumber = column.kind() == ColumnKind.NUMBER;
        long distinct = distinct(db, table, column.sql());
        check(
                distinct > 1,
                "label '%s' of %s has one value only: there is nothing to learn",
                label,
                table.parts().get(0).file());
        if (isNumber && !isCategory && !(distinct <= FEW_NUMBERS && isWhole(db, table, column))) {
            return new LabelChoice(column, null, DecimalMark.POINT);
        }
        check(
                distinct <= MOST_CLASSES,
                "label '%s' of %s has %,d different texts, more than %,d classes: is it an"
                        + " identifier?",
                label,
                table.parts().get(0).file(),
                distinct,
                MOST_CLASSES);
        String order = isNumber ? "CAST(v AS DOUBLE)" : "v";
        Dictionary classes =
                Dictionary.of(
                        db,
                        TYPE,
                        table.name(),
                        isNumber ? whole(column.sql(), DecimalMark.POINT) : column.sql(),
                        order);
        return new LabelChoice(column, classes, DecimalMark.POINT);
    }

    /**
     * The label of a trained model in new data.
     *
     * @param table of the new data, whose name makes that of the dictionary its own
     */
    static LabelChoice of(DuckDb db, String table, LabelEncoding encoding, DecimalMark decimal) {
        boolean isValue = encoding.classes().isEmpty();
        Column staged = Column.of(encoding.column(), ColumnKind.TEXT);
        return new LabelChoice(
                isValue ? staged.asNumber(decimal) : staged,
                isValue ? null : Dictionary.of(db, table + "_" + TYPE, encoding.classes()),
                decimal);
    }

    boolean isValue() {
        return classes == null;
    }

    /** The values of the column in index order; none where numbers are predicted. */
    List<String> classValues() {
        return classes == null ? List.of() : classes.values();
    }

    /** The class as an INTEGER; only where there are classes. */
    String code() {
        if (classes == null) {
            throw new IllegalStateException("label '" + column.name() + "' has no classes");
        }
        boolean areNumbers = classes.values().stream().allMatch(c -> c.matches("-?\\d+"));
        return classes.code(areNumbers ? whole(column.sql(), decimal) : column.sql());
    }

    /** Whole numbers without a decimal point, so that 1 and 1.0 are the same class. */
    private static String whole(String sql, DecimalMark decimal) {
        return ("CASE WHEN %2$s = floor(%2$s) THEN CAST(CAST(%2$s AS BIGINT) AS VARCHAR)"
                        + " ELSE CAST(%1$s AS VARCHAR) END")
                .formatted(sql, decimal.number(sql));
    }

    private static long distinct(DuckDb db, StagedTable table, String sql) {
        try {
            return db.longs("SELECT count(DISTINCT %s) FROM %s".formatted(sql, table.name()))[0];
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isWhole(DuckDb db, StagedTable table, Column column) {
        String sql = column.sql();
        try {
            return db.longs(
                                    "SELECT count(*) FROM %s WHERE %s <> floor(%s) OR abs(%s) > 1e9"
                                            .formatted(table.name(), sql, sql, sql))[0]
                    == 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
