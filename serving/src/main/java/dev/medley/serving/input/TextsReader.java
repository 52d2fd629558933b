package dev.medley.serving.input;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.table.labelled.TextRecord;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads texts that are cut into tokens. */
final class TextsReader implements InputReader {
    private final LabelledTextEncoding encoding;
    private final List<InputPort> ports;

    TextsReader(LabelledTextEncoding encoding) {
        this.encoding = encoding;
        this.ports =
                List.of(
                        InputPort.column(
                                encoding.column(),
                                DataType.BYTES,
                                "a text, of which at most %d tokens are read"
                                        .formatted(encoding.room())));
    }

    @Override
    public List<InputPort> ports() {
        return ports;
    }

    @Override
    public EncodedRows read(List<WireTensor> inputs) {
        InputReader.byName(ports, inputs);
        Values values = inputs.get(0).values();
        check(
                values instanceof Values.Texts,
                "input '%s' takes texts (BYTES), and %s were sent",
                encoding.column(),
                inputs.get(0).type());
        return encoded(Math.toIntExact(inputs.get(0).rows()), values::text);
    }

    @Override
    public EncodedRows rows(RowTable table) {
        int place = table.columns().indexOf(encoding.column());
        check(place >= 0, "no row has the column '%s', which the model reads", encoding.column());
        return encoded(
                table.rows().size(),
                row -> {
                    Object value = table.rows().get(row)[place];
                    return value == null ? null : value.toString();
                });
    }

    private EncodedRows encoded(int rows, IntFunction<@Nullable String> texts) {
        TextRecord record = new TextRecord(encoding);
        byte[] records = new byte[Math.multiplyExact(rows, record.bytes())];
        for (int row = 0; row < rows; row++) {
            String text = texts.apply(row);
            byte[] one = record.of(text == null ? "" : text, 0);
            System.arraycopy(one, 0, records, row * record.bytes(), one.length);
        }
        return new EncodedRows.Records(records, record.bytes(), rows);
    }
}
