package dev.medley.serving.input;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.serving.input.EncodedRows.Arrays;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.List;

/** Reads windows of tokens, of which a language model tells the next ones. */
final class TokenReader implements InputReader {
    private static final String NAME = "tokens";

    private final TextEncoding encoding;
    private final List<InputPort> ports;

    TokenReader(TextEncoding encoding) {
        this.encoding = encoding;
        this.ports =
                List.of(
                        new InputPort(
                                NAME,
                                DataType.INT64,
                                List.of(-1L, (long) encoding.context()),
                                "tokens below %d".formatted(encoding.vocabularySize())));
    }

    @Override
    public List<InputPort> ports() {
        return ports;
    }

    @Override
    public EncodedRows read(List<WireTensor> inputs) {
        InputReader.byName(ports, inputs);
        Values values = inputs.get(0).values();
        check(!(values instanceof Values.Texts), "input '%s' takes whole numbers", NAME);
        double[] tokens = new double[values.count()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = values.number(i);
            check(
                    tokens[i] >= 0
                            && tokens[i] < encoding.vocabularySize()
                            && tokens[i] == Math.rint(tokens[i]),
                    "input '%s', element %d: %s is no token; they are from 0 to %d",
                    NAME,
                    i,
                    tokens[i],
                    encoding.vocabularySize() - 1);
        }
        int rows = Math.toIntExact(inputs.get(0).rows());
        return new Arrays(List.of(new Arrays.Input(ElementType.INT64, tokens)), rows);
    }
}
