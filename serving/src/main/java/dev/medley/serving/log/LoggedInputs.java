package dev.medley.serving.log;

import dev.medley.serving.input.RowTable;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
