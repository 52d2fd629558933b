package dev.medley.onnx.stage;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the way from raw data to a model's inputs.
 *
 * @param arrays those of the signature, in its order
 * @param series what brings forecasts back; null for other data
 */
public record InputStage(List<Value> arrays, @Nullable SeriesStage series) {
    private static final double BRIGHTEST = 255;

    public InputStage {
        arrays = List.copyOf(arrays);
    }

    /** What flows in becomes the graph's inputs. */
    public static InputStage of(Encoding encoding, Graph graph) {
        if (encoding instanceof SeriesEncoding windows) {
            SeriesStage series = new SeriesStage(windows, graph);
            return new InputStage(series.arrays(), series);
        }
        return new InputStage(arrays(encoding, graph), null);
    }

    private static List<Value> arrays(Encoding encoding, Graph graph) {
        if (encoding instanceof TableEncoding table) {
            return TableStage.of(table, graph);
        } else if (encoding instanceof ImageEncoding image) {
            return List.of(image(image, graph));
        } else if (encoding instanceof SequenceEncoding sequences) {
            return List.of(rows(sequences, graph));
        } else if (encoding instanceof LabelledTextEncoding texts) {
            return List.of(TextStage.of(texts, graph));
        } else if (encoding instanceof TextEncoding text) {
            return List.of(TextStage.of(text, graph));
        }
        return ((CustomEncoding) encoding)
                .signature().inputs().stream().map(input -> own(input, graph)).toList();
    }

    /** The last rows of sequences; before the first row of a shorter one all are 0. */
    private static Value rows(SequenceEncoding sequences, Graph graph) {
        String rows = "" + sequences.rows();
        int columns = sequences.features().size();
        Value given =
                graph.input(
                        new Port(
                                "rows",
                                Port.Type.DOUBLE,
                                List.of(Port.SAMPLES, rows, "" + columns),
                                "the last rows, the oldest first, of "
                                        + String.join(", ", sequences.features())
                                        + "; NaN where missing"));
        Value isRow =
                graph.input(
                        new Port(
                                "is_row",
                                Port.Type.FLOAT,
                                List.of(Port.SAMPLES, rows, "1"),
                                "1 for a row, 0 before the first one of a shorter sequence"));
        List<Double> centres = sequences.scalings().stream().map(Scaling::centre).toList();
        List<Double> widths = sequences.scalings().stream().map(Scaling::scale).toList();
        Value away = graph.node("Sub", given, graph.constant(Constants.doubles(centres, columns)));
        Value scaled = graph.node("Div", away, graph.constant(Constants.doubles(widths, columns)));
        Value known = graph.node("Where", graph.node("IsNaN", scaled), graph.exact(0), scaled);
        Value seen = graph.node("Mul", graph.cast(known, Port.Type.FLOAT), isRow);
        return graph.joined(List.of(seen, isRow), 2);
    }

    private static Value image(ImageEncoding image, Graph graph) {
        Value bytes =
                graph.input(
                        new Port(
                                "image",
                                Port.Type.UINT8,
                                List.of(
                                        Port.SAMPLES,
                                        "" + image.channels(),
                                        "" + image.height(),
                                        "" + image.width()),
                                "pixels from 0 to 255"));
        Value pixels = graph.cast(bytes, Port.Type.FLOAT);
        Value scaled = graph.node("Div", pixels, graph.number(BRIGHTEST));
        long[] shape = {image.channels(), 1, 1};
        Value mean = graph.constant(Constants.floats(image.mean(), shape));
        Value deviation = graph.constant(Constants.floats(image.deviation(), shape));
        return graph.node("Div", graph.node("Sub", scaled, mean), deviation);
    }

    /** What a user's own source gives, as it gives it. */
    private static Value own(Signature.Input input, Graph graph) {
        List<String> dimensions = new ArrayList<>(List.of(Port.SAMPLES));
        input.shape().forEach(length -> dimensions.add("" + length));
        Port.Type type = Port.Type.of(input.type());
        Value given =
                graph.input(new Port(input.name(), type, dimensions, "as the source gives it"));
        if (!input.cardinalities().isEmpty()) {
            return graph.cast(given, Port.Type.INT64);
        }
        Value numbers = graph.cast(given, Port.Type.FLOAT);
        return input.type() == ElementType.UINT8
                ? graph.node("Div", numbers, graph.number(BRIGHTEST))
                : numbers;
    }
}
