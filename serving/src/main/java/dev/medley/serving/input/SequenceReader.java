package dev.medley.serving.input;

import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.serving.input.EncodedRows.Arrays;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.List;
import java.util.Map;

/** Reads the last rows of sequences. */
final class SequenceReader implements InputReader {
    private final SequenceEncoding encoding;
    private final List<Scaling> scalings;
    private final List<InputPort> ports;

    SequenceReader(SequenceEncoding encoding) {
        this.encoding = encoding;
        this.scalings = encoding.scalings();
        long rows = encoding.rows();
        this.ports =
                List.of(
                        new InputPort(
                                "rows",
                                DataType.FP64,
                                List.of(-1L, rows, (long) encoding.features().size()),
                                "the last rows, the oldest first, of "
                                        + String.join(", ", encoding.features())
                                        + "; NaN where missing"),
                        new InputPort(
                                "is_row",
                                DataType.FP32,
                                List.of(-1L, rows, 1L),
                                "1 for a row, 0 before the first one of a shorter sequence"));
    }

    @Override
    public List<InputPort> ports() {
        return ports;
    }

    @Override
    public EncodedRows read(List<WireTensor> inputs) {
        Map<String, WireTensor> given = InputReader.byName(ports, inputs);
        Values rows = values(given, "rows");
        Values isRow = values(given, "is_row");
        int columns = encoding.features().size();
        double[] seen = new double[isRow.count() * (columns + 1)];
        for (int row = 0; row < isRow.count(); row++) {
            boolean isOne = isRow.number(row) != 0;
            for (int c = 0; isOne && c < columns; c++) {
                double number = rows.number(row * columns + c);
                seen[row * (columns + 1) + c] =
                        Double.isNaN(number) ? 0 : scalings.get(c).of(number);
            }
            seen[row * (columns + 1) + columns] = isOne ? 1 : 0;
        }
        int samples = Math.toIntExact(inputs.get(0).rows());
        return new Arrays(List.of(new Arrays.Input(ElementType.FLOAT32, seen)), samples);
    }

    private static Values values(Map<String, WireTensor> given, String name) {
        WireTensor tensor = given.get(name);
        if (tensor == null) {
            throw new IllegalStateException(name + " was checked before");
        }
        return tensor.values();
    }
}
