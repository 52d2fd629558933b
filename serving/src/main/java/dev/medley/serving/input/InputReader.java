package dev.medley.serving.input;

import dev.medley.base.text.DidYouMean;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the arrays that a caller sends.
 *
 * <p>Thread: any.
 */
public interface InputReader extends AutoCloseable {
    /** Of a model that was trained on such data. */
    static InputReader of(Encoding encoding) {
        if (encoding instanceof TableEncoding table) {
            return new TableReader(table);
        } else if (encoding instanceof ImageEncoding images) {
            return new ImageReader(images);
        } else if (encoding instanceof LabelledTextEncoding texts) {
            return new TextsReader(texts);
        } else if (encoding instanceof SeriesEncoding series) {
            return new WindowReader(series);
        } else if (encoding instanceof SequenceEncoding sequences) {
            return new SequenceReader(sequences);
        } else if (encoding instanceof TextEncoding text) {
            return new TokenReader(text);
        }
        return new ArrayReader(((CustomEncoding) encoding).signature());
    }

    /** Whether a few rows are read at once: an event loop may do it. */
    default boolean isQuick() {
        return true;
    }

    /** What it takes, in order. */
    List<InputPort> ports();

    /**
     * The samples of arrays that have different names.
     *
     * @throws ServingFailure if they do not fit
     */
    EncodedRows read(List<WireTensor> inputs);

    /**
     * The samples of rows.
     *
     * @throws ServingFailure if they do not fit, or the model reads no rows of a table
     */
    default EncodedRows rows(RowTable table) {
        throw ServingFailure.invalid(
                "this model reads no rows of a table here, but %s: send arrays to"
                        + " /v2/models/NAME/infer",
                String.join(", ", ports().stream().map(InputPort::name).toList()));
    }

    @Override
    default void close() {}

    /**
     * The arrays by name, which are those of {@code ports}, all with as many samples.
     *
     * @throws ServingFailure if one is missing, is named twice, is not known, or has another shape
     */
    static Map<String, WireTensor> byName(List<InputPort> ports, List<WireTensor> inputs) {
        Map<String, InputPort> known = new LinkedHashMap<>();
        ports.forEach(port -> known.put(port.name(), port));
        Map<String, WireTensor> given = new LinkedHashMap<>();
        for (WireTensor input : inputs) {
            InputPort port = known.get(input.name());
            if (port == null) {
                throw ServingFailure.invalid(
                        "there is no input '%s'%s; this model takes %s",
                        shown(input.name()),
                        DidYouMean.of(input.name(), known.keySet())
                                .map(near -> ", did you mean '" + near + "'?")
                                .orElse(""),
                        String.join(", ", known.keySet()));
            }
            ServingFailure.check(
                    given.put(input.name(), input) == null,
                    "input '%s' is sent twice",
                    input.name());
            requireShape(port, input);
        }
        if (given.size() < known.size()) {
            List<String> missing = new ArrayList<>(known.keySet());
            missing.removeAll(given.keySet());
            throw ServingFailure.invalid("there is no input '%s'", String.join("', '", missing));
        }
        long rows = inputs.isEmpty() ? 0 : inputs.get(0).rows();
        for (WireTensor input : inputs) {
            ServingFailure.check(
                    input.rows() == rows,
                    "input '%s' has %d rows, and '%s' has %d: all have as many",
                    input.name(),
                    input.rows(),
                    inputs.get(0).name(),
                    rows);
        }
        return given;
    }

    /** A last dimension of 1 may be left out. */
    private static void requireShape(InputPort port, WireTensor input) {
        List<Long> asked = port.shape();
        List<Long> shape = input.shape();
        boolean isFlat = asked.size() == 2 && asked.get(1) == 1 && shape.size() == 1;
        boolean fits = isFlat || shape.size() == asked.size();
        for (int i = 0; fits && !isFlat && i < shape.size(); i++) {
            fits = asked.get(i) == -1 || asked.get(i).equals(shape.get(i));
        }
        ServingFailure.check(
                fits,
                "input '%s' has the shape %s; it takes %s, where -1 is any length",
                port.name(),
                shape,
                asked);
    }

    /** A text of a caller, cut where it is long. */
    static String shown(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
