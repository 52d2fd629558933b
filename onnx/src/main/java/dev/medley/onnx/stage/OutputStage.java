package dev.medley.onnx.stage;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds the way from a model's outputs to its answers: {@code prediction}, and {@code probability}
 * of each class; of clusters {@code cluster} and {@code distance}. A name that an input has already
 * gets an underscore, as in a file of predictions.
 */
public final class OutputStage {
    private static final String PREDICTION = "prediction";
    private static final String PROBABILITY = "probability";

    private final Target target;
    private final @Nullable DecisionThreshold threshold;
    private final Graph graph;

    /** For a model that decides between two classes by {@code threshold}; null for one half. */
    public OutputStage(Target target, @Nullable DecisionThreshold threshold, Graph graph) {
        this.target = target;
        this.threshold = threshold;
        this.graph = graph;
    }

    /** Adds the answers from what the model says. */
    public void add(Value outputs, InputStage input) {
        switch (target.kind()) {
            case BINARY -> binary(outputs);
            case CLASSES -> classes(outputs);
            case VALUE -> numbers(outputs, "the number", "1");
            case GRADE -> numbers(outputs, "by which rows of a group are ranked", "1");
            case VALUES -> {
                SeriesStage series = input.series();
                if (series == null) {
                    numbers(outputs, "the numbers", "" + target.outputs());
                } else {
                    numbers(series.forecast(outputs), "rows to come", series.dimensions());
                }
            }
            case TOKENS ->
                    probability(
                            softmax(outputs),
                            "of each token to be the next one",
                            "positions",
                            "" + target.outputs());
            case NONE -> cluster(outputs);
        }
    }

    private void cluster(Value outputs) {
        Value cluster =
                graph.node("Gather", List.of(outputs, graph.index(0)), Attribute.of("axis", 1));
        Value distance =
                graph.node("Gather", List.of(outputs, graph.index(1)), Attribute.of("axis", 1));
        List<String> samples = List.of(Port.SAMPLES);
        output(
                "cluster",
                graph.cast(cluster, Port.Type.INT64),
                Port.Type.INT64,
                samples,
                "the nearest");
        output("distance", distance, Port.Type.FLOAT, samples, "to its centre, of encoded columns");
    }

    private void numbers(Value values, String about, String... dimensions) {
        List<String> all = new ArrayList<>(List.of(Port.SAMPLES));
        all.addAll(List.of(dimensions));
        output(PREDICTION, values, Port.Type.FLOAT, all, about);
    }

    private void probability(Value values, String about, String... dimensions) {
        List<String> all = new ArrayList<>(List.of(Port.SAMPLES));
        all.addAll(List.of(dimensions));
        output(PROBABILITY, values, Port.Type.FLOAT, all, about);
    }

    private void binary(Value logits) {
        Value second = graph.node("Sigmoid", graph.cast(logits, Port.Type.DOUBLE));
        Value first = graph.node("Sub", graph.exact(1), second);
        Value isSecond =
                threshold == null
                        ? graph.node("Less", first, second)
                        : graph.node(
                                "Not",
                                graph.node("Less", second, graph.exact(threshold.probability())));
        Value column = graph.cast(isSecond, Port.Type.INT64);
        label(graph.node("Squeeze", column, graph.wholes(1)));
        Value both = graph.joined(List.of(first, second), 1);
        probability(graph.cast(both, Port.Type.FLOAT), "of each class: " + classes(), "2");
    }

    private void classes(Value logits) {
        label(
                graph.node(
                        "ArgMax",
                        List.of(logits),
                        Attribute.of("axis", 1),
                        Attribute.of("keepdims", 0)));
        probability(softmax(logits), "of each class: " + classes(), "" + target.outputs());
    }

    private Value softmax(Value logits) {
        return graph.node("Softmax", List.of(logits), Attribute.of("axis", -1));
    }

    private void label(Value index) {
        Value label = graph.node("Gather", graph.constant(names()), index);
        output(PREDICTION, label, Port.Type.STRING, List.of(Port.SAMPLES), "the class");
    }

    /** Classes without names are called by their index. */
    private List<String> names() {
        int count = target.kind() == TargetKind.BINARY ? 2 : target.outputs();
        return IntStream.range(0, count)
                .mapToObj(i -> i < target.labels().size() ? target.labels().get(i) : "" + i)
                .toList();
    }

    private String classes() {
        return String.join(", ", names());
    }

    private void output(
            String name, Value value, Port.Type type, List<String> dimensions, String about) {
        String free = name;
        while (isTaken(free)) {
            free += "_";
        }
        graph.output(new Port(free, type, dimensions, about), value);
    }

    private boolean isTaken(String name) {
        return graph.inputs().stream().anyMatch(port -> port.name().equals(name));
    }
}
