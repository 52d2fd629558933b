package dev.medley.spark.rows;

import dev.medley.base.ConfigException;
import dev.medley.data.image.ImageRecord;
import dev.medley.spark.rows.FrameColumn.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads projected rows into arrays that are used again for the next row.
 *
 * <p>Thread: one.
 */
final class FrameReader {
    /** The numbers of the row, in the order asked for; NaN where there is none. */
    final double[] numbers;

    /** The texts of the row, likewise; null where there is none. */
    final @Nullable String[] texts;

    private final FrameColumns.Roles roles;
    private final @Nullable FrameColumn image;
    private final FrameColumn[] asNumbers;
    private final FrameColumn[] asTexts;
    private double[] vector = new double[0];

    /** For the columns of these names; all numbers and texts of the encoding are among them. */
    FrameReader(FrameColumns columns, List<String> numbers, List<String> texts) {
        this.roles = columns.roles();
        this.image = columns.image();
        Map<String, FrameColumn> byName = new HashMap<>();
        columns.columns().forEach(column -> byName.put(column.name(), column));
        this.asNumbers = numbers.stream().map(n -> known(byName, n)).toArray(FrameColumn[]::new);
        this.asTexts = texts.stream().map(n -> known(byName, n)).toArray(FrameColumn[]::new);
        this.numbers = new double[asNumbers.length];
        this.texts = new String[asTexts.length];
    }

    private static FrameColumn known(Map<String, FrameColumn> byName, String name) {
        FrameColumn column = byName.get(name);
        if (column == null) {
            throw new ConfigException(
                    "the model reads a column '%s', and the DataFrame gives %s"
                            .formatted(name, byName.keySet()));
        }
        return column;
    }

    /** Reads a row; what is wrong with it, or null. */
    @Nullable String read(RowValues row) {
        int vectorNow = -1;
        for (int i = 0; i < asNumbers.length; i++) {
            FrameColumn column = asNumbers[i];
            if (column.kind() != Kind.ELEMENT) {
                numbers[i] = row.isNull(column.at()) ? Double.NaN : row.number(column.at());
                continue;
            }
            if (vectorNow != column.at()) {
                vectorNow = column.at();
                if (row.isNull(vectorNow)) {
                    return "a row has null in place of its vector";
                }
                vector = row.vector(vectorNow);
            }
            if (column.element() >= vector.length) {
                return "a row has a vector of %d elements, and others longer ones"
                        .formatted(vector.length);
            }
            numbers[i] = vector[column.element()];
        }
        for (int i = 0; i < asTexts.length; i++) {
            FrameColumn column = asTexts[i];
            if (row.isNull(column.at())) {
                texts[i] = null;
            } else if (column.kind() == Kind.TEXT) {
                String text = row.text(column.at()).strip(); // As texts of files are.
                texts[i] = text.isEmpty() ? null : text;
            } else {
                // A number that the model takes for a category: as a file would have it.
                texts[i] = text(row.number(column.at()));
            }
        }
        return null;
    }

    /** The image of the row, where columns have one. */
    ImageRecord.Opened image(RowValues row) {
        FrameColumn column = Objects.requireNonNull(image);
        return row.isNull(column.at())
                ? new ImageRecord.Opened(null, "is null: remove or replace it")
                : row.image(column.at(), column.kind() == Kind.IMAGE);
    }

    /** Whether a number of the row is missing. */
    boolean hasMissing() {
        for (double number : numbers) {
            if (Double.isNaN(number)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the row has a label. */
    boolean hasLabel(RowValues row) {
        return roles.label() >= 0
                && !row.isNull(roles.label())
                && (roles.isText() || !Double.isNaN(row.number(roles.label())));
    }

    /** The label as a text: of a number the shortest that means it. */
    String labelText(RowValues row) {
        return roles.isText() ? row.text(roles.label()).strip() : text(row.number(roles.label()));
    }

    /** What tells the label from others. */
    Object labelKey(RowValues row) {
        return roles.isText() ? row.text(roles.label()) : (Object) row.number(roles.label());
    }

    double label(RowValues row) {
        return row.number(roles.label());
    }

    /** What the row counts; NaN where it does not say. */
    double weight(RowValues row) {
        if (roles.weight() < 0) {
            return 1;
        }
        return row.isNull(roles.weight()) ? Double.NaN : row.number(roles.weight());
    }

    /** What tells the rows that are ranked together from others; null where it is missing. */
    @Nullable String group(RowValues row) {
        return roles.group() < 0 || row.isNull(roles.group()) ? null : row.text(roles.group());
    }

    boolean isValidation(RowValues row) {
        return roles.validation() >= 0
                && !row.isNull(roles.validation())
                && row.flag(roles.validation());
    }

    /** A whole number without a point. */
    static String text(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
