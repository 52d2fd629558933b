package dev.medley.serving.answer;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.inference.metric.SoundOutputs;
import dev.medley.inference.model.Prediction;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.input.InputPort;
import dev.medley.serving.input.InputReader;
import dev.medley.serving.input.WindowReader;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes answers as {@code medley predict} writes them, as arrays and as rows of columns. */
public final class AnswerMaker {
    private static final String PREDICTION = "prediction";
    private static final String PROBABILITY = "probability";

    private final Target target;
    private final @Nullable DecisionThreshold threshold;
    private final @Nullable SeriesEncoding series;
    private final int context;
    private final List<InputPort> ports;

    /**
     * Of a model.
     *
     * @param threshold from which on the second of two classes is the answer; null for one half
     */
    public AnswerMaker(Target target, @Nullable DecisionThreshold threshold, Encoding encoding) {
        this.target = target;
        this.threshold = threshold;
        this.series = encoding instanceof SeriesEncoding windows ? windows : null;
        this.context =
                target.kind() == TargetKind.TOKENS
                        ? encoding.signature().inputs().get(0).shape().get(0)
                        : 0;
        this.ports = ports(target, series, context);
    }

    private static List<InputPort> ports(
            Target target, @Nullable SeriesEncoding series, int context) {
        return switch (target.kind()) {
            case BINARY, CLASSES -> {
                int classes = target.kind() == TargetKind.BINARY ? 2 : target.outputs();
                yield List.of(
                        new InputPort(PREDICTION, DataType.BYTES, List.of(-1L), "the class"),
                        new InputPort(
                                PROBABILITY,
                                DataType.FP64,
                                List.of(-1L, (long) classes),
                                "of each class: " + String.join(", ", names(target, classes))));
            }
            case VALUE ->
                    List.of(new InputPort(PREDICTION, DataType.FP64, List.of(-1L), "the number"));
            case GRADE ->
                    List.of(
                            new InputPort(
                                    PREDICTION,
                                    DataType.FP64,
                                    List.of(-1L),
                                    "by which rows of a group are ranked"));
            case VALUES ->
                    List.of(
                            series == null
                                    ? new InputPort(
                                            PREDICTION,
                                            DataType.FP64,
                                            List.of(-1L, (long) target.outputs()),
                                            "the numbers")
                                    : new InputPort(
                                            PREDICTION,
                                            DataType.FP64,
                                            List.of(
                                                    -1L,
                                                    (long) series.horizon(),
                                                    (long) series.channels()),
                                            "rows to come"));
            case NONE ->
                    List.of(
                            new InputPort("cluster", DataType.INT64, List.of(-1L), "the nearest"),
                            new InputPort(
                                    "distance",
                                    DataType.FP64,
                                    List.of(-1L),
                                    "to its centre, of encoded columns"));
            case TOKENS ->
                    List.of(
                            new InputPort(
                                    "next",
                                    DataType.INT64,
                                    List.of(-1L, (long) context),
                                    "the likeliest token after each"),
                            new InputPort(
                                    PROBABILITY,
                                    DataType.FP64,
                                    List.of(-1L, (long) context),
                                    "of that token"));
        };
    }

    private static List<String> names(Target target, int classes) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            names.add(Prediction.nameOf(target, i));
        }
        return names;
    }

    /** What comes out, in order. */
    public List<InputPort> ports() {
        return ports;
    }

    /**
     * The answers as arrays, in the order of {@link #ports}.
     *
     * @param inputs that were sent, for what is in units of theirs
     * @throws ServingFailure where outputs of the model are no numbers
     */
    public List<WireTensor> tensors(Computed found, InputReader reader, List<WireTensor> inputs) {
        int rows = found.width() == 0 ? 0 : found.outputs().length / found.width();
        if (target.kind() == TargetKind.TOKENS) {
            return tokens(found, rows);
        }
        List<Prediction> predictions = new ArrayList<>(rows);
        for (int row = 0; row < rows; row++) {
            predictions.add(prediction(found, row));
        }
        return switch (target.kind()) {
            case BINARY, CLASSES ->
                    List.of(
                            texts(predictions),
                            numbers(
                                    ports.get(1),
                                    rows,
                                    scores(
                                            predictions,
                                            Math.toIntExact(ports.get(1).shape().get(1)))));
            case NONE ->
                    List.of(
                            new WireTensor(
                                    "cluster",
                                    DataType.INT64,
                                    List.of((long) rows),
                                    new Values.Wholes(
                                            predictions.stream()
                                                    .mapToLong(p -> Long.parseLong(p.answer()))
                                                    .toArray())),
                            numbers(ports.get(1), rows, scores(predictions, 1)));
            case VALUES -> {
                double[] values = scores(predictions, target.outputs());
                if (series != null && reader instanceof WindowReader windows) {
                    unscale(values, windows.scales(inputs));
                }
                yield List.of(numbers(ports.get(0), rows, values));
            }
            default -> List.of(numbers(ports.get(0), rows, scores(predictions, 1)));
        };
    }

    /** The answer for one row. */
    public Prediction prediction(Computed found, int row) {
        float[] outputs = found.row(row);
        if (!SoundOutputs.areSound(target.kind(), outputs)) {
            throw new ServingFailure(
                    Kind.INVALID,
                    "row %d: the model's outputs are no numbers; %s"
                            .formatted(row, SoundOutputs.REMEDY));
        }
        return Prediction.of(target, threshold, outputs);
    }

    /** Whether rows tell answers in full: of a series they would be without its scale. */
    public boolean areRows() {
        return series == null && target.kind() != TargetKind.TOKENS;
    }

    /** The columns of answers by row, with whether each is a number. */
    public Map<String, ColumnType> columns() {
        return Prediction.columns(target);
    }

    /** The values of those columns. */
    public Object[] row(Prediction prediction) {
        return prediction.row(target);
    }

    private void unscale(double[] values, List<SeriesEncoding.Scales> scales) {
        int channels = series == null ? 1 : series.channels();
        for (int i = 0; i < values.length; i++) {
            int row = i / target.outputs();
            values[i] = scales.get(row).targets().get(i % channels).original(values[i]);
        }
    }

    private static WireTensor texts(List<Prediction> predictions) {
        List<@Nullable String> answers = new ArrayList<>();
        predictions.forEach(p -> answers.add(p.answer()));
        return new WireTensor(
                PREDICTION,
                DataType.BYTES,
                List.of((long) predictions.size()),
                new Values.Texts(answers));
    }

    private static double[] scores(List<Prediction> predictions, int width) {
        double[] all = new double[predictions.size() * width];
        for (int row = 0; row < predictions.size(); row++) {
            List<Double> scores = predictions.get(row).scores();
            for (int i = 0; i < width; i++) {
                all[row * width + i] = scores.get(i);
            }
        }
        return all;
    }

    private static WireTensor numbers(InputPort port, int rows, double[] values) {
        List<Long> shape = new ArrayList<>(port.shape());
        shape.set(0, (long) rows);
        return new WireTensor(port.name(), port.type(), shape, new Values.Numbers(values));
    }

    /** Of each position the likeliest token. */
    private List<WireTensor> tokens(Computed found, int rows) {
        int vocabulary = target.outputs();
        long[] next = new long[rows * context];
        double[] probability = new double[next.length];
        for (int at = 0; at < next.length; at++) {
            int from = at * vocabulary;
            int best = 0;
            for (int v = 1; v < vocabulary; v++) {
                best = found.outputs()[from + v] > found.outputs()[from + best] ? v : best;
            }
            double sum = 0;
            for (int v = 0; v < vocabulary; v++) {
                sum += Math.exp(found.outputs()[from + v] - found.outputs()[from + best]);
            }
            if (!(sum > 0) || sum == Double.POSITIVE_INFINITY) {
                throw new ServingFailure(
                        Kind.INVALID,
                        "row %d: the model's outputs are no numbers".formatted(at / context));
            }
            next[at] = best;
            probability[at] = 1 / sum;
        }
        List<Long> shape = List.of((long) rows, (long) context);
        return List.of(
                new WireTensor("next", DataType.INT64, shape, new Values.Wholes(next)),
                new WireTensor(PROBABILITY, DataType.FP64, shape, new Values.Numbers(probability)));
    }
}
