package dev.medley.serving.input;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.SeriesEncoding.Scales;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.input.EncodedRows.Arrays;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads windows over time: rows before a forecast, and what is known ahead. Where each series has
 * scales of its own, a text for each column that tells series apart is read as well.
 */
public final class WindowReader implements InputReader {
    private static final String PAST = "past";
    private static final String KNOWN = "known";

    private final SeriesEncoding encoding;
    private final List<InputPort> ports = new ArrayList<>();
    private final boolean isOne;

    /** Of windows of {@code encoding}. */
    public WindowReader(SeriesEncoding encoding) {
        this.encoding = encoding;
        List<Scales> scales = encoding.scales();
        isOne = scales.size() == 1 && scales.get(0).series().isEmpty();
        ports.add(
                new InputPort(
                        PAST,
                        DataType.FP64,
                        List.of(-1L, (long) encoding.lookBack(), (long) encoding.channels()),
                        "rows before the forecast, the oldest first, of "
                                + String.join(", ", encoding.targets())));
        if (!encoding.ahead().isEmpty()) {
            long rows = (long) encoding.lookBack() + encoding.horizon();
            ports.add(
                    new InputPort(
                            KNOWN,
                            DataType.FP64,
                            List.of(-1L, rows, (long) encoding.ahead().size()),
                            "rows that are seen and then those that are asked for, of "
                                    + String.join(", ", encoding.ahead())));
        }
        if (!isOne) {
            for (String name : encoding.by()) {
                ports.add(InputPort.column(name, DataType.BYTES, "tells the series apart"));
            }
        }
    }

    @Override
    public List<InputPort> ports() {
        return List.copyOf(ports);
    }

    /** The scales of a sample, by which its forecast comes back to the columns' own units. */
    public List<Scales> scales(List<WireTensor> inputs) {
        Map<String, WireTensor> given = InputReader.byName(ports, inputs);
        int rows = Math.toIntExact(inputs.get(0).rows());
        List<Scales> found = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            found.add(isOne ? encoding.scales().get(0) : scales(given, row));
        }
        return found;
    }

    private Scales scales(Map<String, WireTensor> given, int row) {
        List<String> series = new ArrayList<>();
        for (String name : encoding.by()) {
            WireTensor column = given.get(name);
            String text = column == null ? null : column.values().text(row);
            series.add(text == null ? "" : text);
        }
        return encoding.scales().stream()
                .filter(each -> each.series().equals(series))
                .findFirst()
                .orElseThrow(
                        () ->
                                ServingFailure.invalid(
                                        "row %d: training had no series %s", row, series));
    }

    @Override
    public EncodedRows read(List<WireTensor> inputs) {
        List<Scales> scales = scales(inputs);
        Map<String, WireTensor> given = InputReader.byName(ports, inputs);
        List<Arrays.Input> arrays = new ArrayList<>();
        arrays.add(scaled(given, PAST, encoding.channels(), 0, scales));
        if (!encoding.ahead().isEmpty()) {
            int ahead = encoding.ahead().size();
            arrays.add(scaled(given, KNOWN, ahead, encoding.channels(), scales));
        }
        return new Arrays(arrays, scales.size());
    }

    private static Arrays.Input scaled(
            Map<String, WireTensor> given, String name, int width, int first, List<Scales> scales) {
        WireTensor input = given.get(name);
        int count = input == null ? 0 : input.values().count();
        double[] values = new double[count];
        int perSample = scales.isEmpty() ? 0 : count / scales.size();
        for (int i = 0; input != null && i < count; i++) {
            Scaling scaling = scales.get(i / perSample).targets().get(first + i % width);
            double number = input.values().number(i);
            check(
                    Double.isFinite(number),
                    "input '%s', element %d: %s is no number; windows have no gaps",
                    name,
                    i,
                    number);
            values[i] = scaling.of(number);
        }
        return new Arrays.Input(ElementType.FLOAT32, values);
    }
}
