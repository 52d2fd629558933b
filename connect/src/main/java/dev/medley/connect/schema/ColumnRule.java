package dev.medley.connect.schema;

import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.ColumnVector;
import java.math.BigDecimal;

/**
 * Says which values of a source's column do not fit, and what goes with them.
 *
 * @param from index of the source's column
 * @param name of the column
 * @param misfit which values do not fit
 * @param limits the column that they would have to fit
 * @param dropsRow whether the row goes, or the value alone
 */
public record ColumnRule(int from, String name, Misfit misfit, Column limits, boolean dropsRow) {
    /** Names values that do not fit. */
    public enum Misfit {
        /** Each that is there. */
        ANY,
        /** Those that are missing. */
        MISSING,
        /** Those that are longer or larger than the limits. */
        TOO_LARGE
    }

    /** Whether the value of a row does not fit. */
    boolean misfits(ColumnVector values, int row) {
        return switch (misfit) {
            case MISSING -> values.isMissing(row);
            case ANY -> !values.isMissing(row);
            case TOO_LARGE -> !values.isMissing(row) && isTooLarge(values, row);
        };
    }

    private boolean isTooLarge(ColumnVector values, int row) {
        int size = limits.size();
        if (size == 0) {
            return false;
        }
        return switch (limits.type()) {
            case INTEGER -> {
                int unused = Long.SIZE - size;
                long value = values.longAt(row);
                yield value << unused >> unused != value;
            }
            case REAL -> {
                double value = values.doubleAt(row);
                yield size <= Float.SIZE && Double.compare((float) value, value) != 0;
            }
            case TEXT -> {
                String text = values.textAt(row);
                yield text.codePointCount(0, text.length()) > size;
            }
            case DECIMAL -> isTooLarge(values.textAt(row));
            case BOOLEAN, DATE, DATETIME, INSTANT, BYTES -> false;
        };
    }

    private boolean isTooLarge(String decimal) {
        if (decimal.endsWith("NaN") || decimal.endsWith("Infinity")) {
            return false;
        }
        BigDecimal value = new BigDecimal(decimal).stripTrailingZeros();
        return value.signum() != 0
                && (value.scale() > limits.scale()
                        || value.precision() - value.scale() > limits.size() - limits.scale());
    }

    /** Whether the room of {@code column} holds all that {@code other} does. */
    static boolean holds(Column column, Column other) {
        if (column.size() == 0 || other.size() == 0) {
            return column.size() == 0;
        }
        if (column.type() != ColumnType.DECIMAL) {
            return column.size() >= other.size();
        }
        return column.scale() >= other.scale()
                && column.size() - column.scale() >= other.size() - other.scale();
    }
}
