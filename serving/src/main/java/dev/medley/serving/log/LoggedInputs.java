package dev.medley.serving.log;

import dev.medley.serving.input.RowTable;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Holds what a caller sent, until it is written. */
public sealed interface LoggedInputs {
    /** Values of one row that are written; of more, as of an image, only how many there are. */
    int MOST_VALUES = 100;

    /** How many values are held. */
    long cells();

    /** What a row has by column. */
    Map<String, @Nullable Object> row(int row);

    /** Rows as a caller wrote them. */
    record OfTable(RowTable table) implements LoggedInputs {
        @Override
        public long cells() {
            return (long) table.rows().size() * table.columns().size();
        }

        @Override
        public Map<String, @Nullable Object> row(int row) {
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            for (int c = 0; c < table.columns().size(); c++) {
                named.put(table.columns().get(c), plain(table.rows().get(row)[c]));
            }
            return named;
        }

        private static @Nullable Object plain(@Nullable Object value) {
            return value instanceof Double number ? finite(number) : value;
        }
    }

    /**
     * Rows of which several make a sample: of each column its values, in the order of the rows.
     *
     * @param table reads them again when they are written
     * @param cells that are held until then
     * @param by columns that tell samples apart
     * @param names of each sample, in the order of {@code by}
     */
    record OfGroups(Supplier<RowTable> table, long cells, List<String> by, List<List<String>> names)
            implements LoggedInputs {
        @Override
        public Map<String, @Nullable Object> row(int row) {
            RowTable all = table.get();
            List<@Nullable Object[]> own = new ArrayList<>();
            for (@Nullable Object[] each : all.rows()) {
                if (isOf(all.columns(), each, row)) {
                    own.add(each);
                }
            }
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            for (int c = 0; c < all.columns().size(); c++) {
                named.put(all.columns().get(c), values(own, c));
            }
            return named;
        }

        private boolean isOf(List<String> columns, @Nullable Object[] row, int sample) {
            for (int i = 0; i < by.size() && sample < names.size(); i++) {
                int at = columns.indexOf(by.get(i));
                if (at >= 0 && !text(row[at]).equals(names.get(sample).get(i))) {
                    return false;
                }
            }
            return true;
        }

        private static String text(@Nullable Object value) {
            return value instanceof Double number ? Values.digits(number) : String.valueOf(value);
        }

        /** An array, and no list: it is of one column, whose name says whether it is masked. */
        private static Object values(List<@Nullable Object[]> own, int column) {
            return own.size() > MOST_VALUES
                    ? own.size() + " values"
                    : own.stream().map(each -> OfTable.plain(each[column])).toArray();
        }
    }

    /** Arrays, of which the first dimension is the row. */
    record OfArrays(List<WireTensor> arrays) implements LoggedInputs {
        public OfArrays {
            arrays = List.copyOf(arrays);
        }

        @Override
        public long cells() {
            return arrays.stream().mapToLong(array -> array.values().count()).sum();
        }

        @Override
        public Map<String, @Nullable Object> row(int row) {
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            for (WireTensor array : arrays) {
                int width = (int) (array.values().count() / Math.max(1, array.rows()));
                if (width == 1) {
                    named.put(array.name(), value(array.values(), row));
                } else if (width > MOST_VALUES) {
                    named.put(array.name(), width + " values");
                } else {
                    List<@Nullable Object> values = new ArrayList<>();
                    for (int i = 0; i < width; i++) {
                        values.add(value(array.values(), row * width + i));
                    }
                    named.put(array.name(), values);
                }
            }
            return named;
        }

        private static @Nullable Object value(Values values, int at) {
            if (values instanceof Values.Texts) {
                return values.text(at);
            } else if (values instanceof Values.Wholes wholes) {
                return wholes.of()[at];
            }
            return finite(values.number(at));
        }
    }

    /** JSON has no numbers that are none. */
    private static @Nullable Object finite(double number) {
        return Double.isFinite(number) ? (Object) number : null;
    }
}
