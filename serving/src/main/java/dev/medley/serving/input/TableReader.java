package dev.medley.serving.input;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.base.text.DidYouMean;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.RowEncoder;
import dev.medley.data.table.cell.CellReader;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads columns of a table, an array each; numbers may come as texts, written as in training. Where
 * all columns are numbers they may come as one array {@value #TOGETHER} [rows, columns], too.
 */
final class TableReader implements InputReader {
    /** The name of all columns in one array. */
    static final String TOGETHER = "features";

    private final TableEncoding encoding;
    private final List<InputPort> ports;
    private final Map<String, Dense> dense = new LinkedHashMap<>();
    private final CellReader cells;

    /** Encoders that nobody uses: each belongs to one thread at a time. */
    private final ConcurrentLinkedQueue<RowEncoder> free = new ConcurrentLinkedQueue<>();

    private final List<String> numbers;
    private final List<String> texts;
    private final boolean isQuick;

    /** Words and hashes of a row that have room; without bound where no column has any. */
    private final int mostTerms;

    TableReader(TableEncoding encoding) {
        this.encoding = encoding;
        this.cells = new CellReader(encoding);
        List<InputPort> all = new ArrayList<>();
        for (ColumnEncoding column : encoding.columns()) {
            boolean isNumber = column instanceof Dense;
            all.add(
                    InputPort.column(
                            column.name(),
                            isNumber ? DataType.FP64 : DataType.BYTES,
                            about(column)));
        }
        ports = List.copyOf(all);
        encoding.dense().forEach(column -> dense.put(column.name(), column));
        RowEncoder encoder = new RowEncoder(encoding);
        numbers = encoder.numbers();
        texts = encoder.texts();
        free.add(encoder);
        isQuick = dense.values().stream().allMatch(TableReader::isPlain);
        mostTerms = encoding.ofTerms().isEmpty() ? Integer.MAX_VALUE : encoding.slots();
    }

    private static boolean isPlain(Dense column) {
        return column instanceof Numeric numeric && numeric.source() == Source.NUMBER;
    }

    private static String about(ColumnEncoding column) {
        if (column instanceof Numeric numeric) {
            String missing = "; NaN where missing";
            return switch (numeric.source()) {
                case NUMBER, THOUSANDS -> "a number" + missing;
                case TIME -> "a time of day, in seconds" + missing;
                case BOOLEAN -> "1 for true, 0 for false" + missing;
            };
        }
        return column instanceof Moment
                ? "seconds since 1970 (UTC), or a date as a text; NaN where missing"
                : "a text; empty where missing";
    }

    @Override
    public List<InputPort> ports() {
        return ports;
    }

    @Override
    public EncodedRows read(List<WireTensor> inputs) {
        if (inputs.size() == 1 && inputs.get(0).name().equals(TOGETHER) && isTogether()) {
            return together(inputs.get(0));
        }
        Map<String, WireTensor> given = InputReader.byName(ports, inputs);
        int rows = Math.toIntExact(inputs.get(0).rows());
        List<WireTensor> ofNumbers = numbers.stream().map(given::get).toList();
        List<WireTensor> ofTexts = texts.stream().map(given::get).toList();
        List<Map<String, @Nullable Double>> known = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            known.add(
                    ofNumbers.get(i).values() instanceof Values.Texts all
                            ? cells.ask(dense(numbers.get(i)), all.of())
                            : Map.of());
        }
        return encoded(
                rows,
                (row, column) ->
                        number(
                                numbers.get(column),
                                ofNumbers.get(column).values(),
                                row,
                                known.get(column)),
                (row, column) -> cells.text(text(ofTexts.get(column), row)));
    }

    /** Flags as a category has them. */
    private static @Nullable String text(WireTensor column, int row) {
        if (column.type() == DataType.BOOL) {
            return column.values().number(row) == 0 ? "false" : "true";
        }
        return column.values().text(row);
    }

    @Override
    public boolean isQuick() {
        return isQuick;
    }

    @Override
    public EncodedRows rows(RowTable table) {
        int[] ofNumbers = places(table, numbers);
        int[] ofTexts = places(table, texts);
        List<Map<String, @Nullable Double>> known = new ArrayList<>();
        for (int i = 0; i < ofNumbers.length; i++) {
            known.add(cells.ask(dense(numbers.get(i)), texts(table, ofNumbers[i])));
        }
        return encoded(
                table.rows().size(),
                (row, column) ->
                        number(
                                numbers.get(column),
                                table.rows().get(row)[ofNumbers[column]],
                                row,
                                known.get(column)),
                (row, column) -> cells.text(text(table.rows().get(row)[ofTexts[column]])));
    }

    private static List<@Nullable String> texts(RowTable table, int place) {
        List<@Nullable String> all = new ArrayList<>();
        for (@Nullable Object[] row : table.rows()) {
            if (row[place] instanceof String text) {
                all.add(text);
            }
        }
        return all;
    }

    private Dense dense(String name) {
        return Objects.requireNonNull(dense.get(name));
    }

    /** Where the rows have each column; columns that the model does not read are passed over. */
    private static int[] places(RowTable table, List<String> wanted) {
        int[] places = new int[wanted.size()];
        for (int i = 0; i < places.length; i++) {
            String name = wanted.get(i);
            places[i] = table.columns().indexOf(name);
            check(
                    places[i] >= 0,
                    "no row has the column '%s'%s, which the model reads",
                    name,
                    DidYouMean.of(name, table.columns())
                            .map(near -> " (there is '" + near + "')")
                            .orElse(""));
        }
        return places;
    }

    private double number(
            String name, @Nullable Object value, int row, Map<String, @Nullable Double> known) {
        if (value instanceof Double number) {
            check(
                    !number.isInfinite(),
                    "row %d, column '%s': %s is no value of a column",
                    row,
                    name,
                    number);
            return cells.number(number);
        } else if (value instanceof Boolean flag) {
            Dense column = dense.get(name);
            check(
                    column instanceof Numeric numeric && numeric.source() == Source.BOOLEAN,
                    "row %d, column '%s': %s is no number",
                    row,
                    name,
                    flag);
            return flag ? 1 : 0;
        }
        Dense column = dense.get(name);
        String text = (String) value;
        @Nullable Double number = column == null ? null : cells.number(column, text, known);
        if (column == null || number == null || number.isInfinite()) {
            throw ServingFailure.invalid(
                    "row %d, column '%s': \"%s\" %s",
                    row,
                    name,
                    InputReader.shown(String.valueOf(text)),
                    column == null ? "is not read" : cells.isNot(column));
        }
        return number;
    }

    private static @Nullable String text(@Nullable Object value) {
        if (value instanceof Double number) {
            return number.isNaN() ? null : Values.digits(number);
        }
        return value == null ? null : value.toString();
    }

    /** All columns are numbers, and none is called so itself. */
    private boolean isTogether() {
        return texts.isEmpty() && !dense.containsKey(TOGETHER) && !numbers.isEmpty();
    }

    private EncodedRows together(WireTensor all) {
        int width = numbers.size();
        check(
                all.shape().size() == 2 && all.shape().get(1) == width,
                "input '%s' has the shape %s; it takes [-1, %d], the columns %s",
                TOGETHER,
                all.shape(),
                width,
                String.join(", ", numbers));
        return encoded(
                Math.toIntExact(all.rows()),
                (row, column) ->
                        number(numbers.get(column), all.values(), row * width + column, Map.of()),
                (row, column) -> null);
    }

    private interface NumberAt {
        double of(int row, int column);
    }

    private interface TextAt {
        @Nullable String of(int row, int column);
    }

    private EncodedRows encoded(int rows, NumberAt number, TextAt text) {
        RowEncoder encoder = free.poll();
        RowEncoder own = encoder == null ? new RowEncoder(encoding) : encoder;
        int bytes = own.recordBytes();
        byte[] records = new byte[Math.multiplyExact(rows, bytes)];
        double[] ofRow = new double[numbers.size()];
        @Nullable String[] textsOfRow = new @Nullable String[texts.size()];
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < ofRow.length; i++) {
                ofRow[i] = number.of(row, i);
            }
            for (int i = 0; i < textsOfRow.length; i++) {
                textsOfRow[i] = text.of(row, i);
            }
            own.encode(ofRow, textsOfRow, 0, 1, records, row * bytes);
        }
        check(
                mostTerms == Integer.MAX_VALUE || own.roomy().slots() <= mostTerms,
                "a text has more words than there is room for: %d in all columns of a row",
                mostTerms);
        free.add(own);
        return new EncodedRows.Records(records, bytes, rows);
    }

    private double number(String name, Values values, int at, Map<String, @Nullable Double> known) {
        if (!(values instanceof Values.Texts)) {
            double number = values.number(at);
            check(
                    !Double.isInfinite(number),
                    "input '%s', element %d: %s is no value of a column; NaN is a missing one",
                    name,
                    at,
                    number);
            return cells.number(number);
        }
        Dense column = dense.get(name);
        String text = values.text(at);
        @Nullable Double number = column == null ? null : cells.number(column, text, known);
        if (column == null || number == null || number.isInfinite()) {
            throw ServingFailure.invalid(
                    "input '%s', element %d: \"%s\" %s",
                    name,
                    at,
                    InputReader.shown(String.valueOf(text)),
                    column == null ? "is not read" : cells.isNot(column));
        }
        return number;
    }

    @Override
    public void close() {
        cells.close();
    }
}
