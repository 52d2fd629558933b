package dev.medley.onnx.stage;

import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.Scaling;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Encodes numbers and moments: all columns of a kind side by side, in double precision as a table's
 * reader does, and then put into the order of the features.
 */
final class DenseStage {
    /** Beyond it a share of the clip is the clip; see {@link Scaling}. */
    private static final double FAR = 1e9;

    /** A clip so far away that it changes no number. */
    private static final double NO_CLIP = 1e150;

    private static final double DAY_SECONDS = 86_400;

    private final Graph graph;
    private final List<Dense> columns;
    private final Map<String, Value> inputs;

    /** Arrays [samples, columns of a kind] that are features. */
    private final List<Value> blocks = new ArrayList<>();

    private final long[] order;
    private int width;

    DenseStage(List<Dense> columns, Map<String, Value> inputs, Graph graph) {
        this.columns = columns;
        this.inputs = inputs;
        this.graph = graph;
        order = new long[columns.stream().mapToInt(column -> column.features().size()).sum()];
    }

    /** FLOAT [samples, features], in the order of the encoding. */
    Value features() {
        List<Dense> numbers = columns.stream().filter(Numeric.class::isInstance).toList();
        List<Dense> moments = columns.stream().filter(Moment.class::isInstance).toList();
        if (!numbers.isEmpty()) {
            Value x = joined(numbers);
            Value isMissing = graph.node("IsNaN", x);
            add(numbers, "", whereMissing(isMissing, scaled(x, numbers), numbers));
            add(numbers, " missing", graph.cast(isMissing, Port.Type.FLOAT));
        }
        if (!moments.isEmpty()) {
            moments(moments);
        }
        Value all = graph.joined(blocks, 1);
        return graph.node("Gather", List.of(all, graph.wholes(order)), Attribute.of("axis", 1));
    }

    private Value joined(List<Dense> some) {
        return graph.joined(
                some.stream().map(c -> Objects.requireNonNull(inputs.get(c.name()))).toList(), 1);
    }

    /** A block holds the feature of that name of each column; some columns may not have it. */
    private void add(List<Dense> some, String feature, Value block) {
        blocks.add(block);
        int at = 0;
        for (Dense column : columns) {
            int place = some.indexOf(column);
            int found = column.features().indexOf(column.name() + feature);
            if (place >= 0 && found >= 0) {
                order[at + found] = width + place;
            }
            at += column.features().size();
        }
        width += some.size();
    }

    private Value moments(List<Dense> moments) {
        Value seconds = joined(moments);
        Value isMissing = graph.node("IsNaN", seconds);
        Value days = graph.node("Div", seconds, graph.exact(DAY_SECONDS));
        add(moments, " days", whereMissing(isMissing, scaled(days, moments), moments));
        DayParts parts = new DayParts(days, graph);
        Value turn = graph.exact(2 * Math.PI);
        Map<String, Value> cycles =
                Map.of(" year", parts.ofYear(), " week", parts.ofWeek(), " day", parts.ofDay());
        for (String cycle : List.of(" year", " week", " day")) {
            Value angle = graph.node("Mul", Objects.requireNonNull(cycles.get(cycle)), turn);
            for (String wave : List.of("Sin", "Cos")) {
                Value value = whereMissing(isMissing, graph.node(wave, angle), moments);
                add(moments, cycle + " " + wave.toLowerCase(java.util.Locale.ROOT), value);
            }
        }
        add(moments, " missing", graph.cast(isMissing, Port.Type.FLOAT));
        return isMissing;
    }

    private Value scaled(Value x, List<Dense> some) {
        Value away = graph.node("Sub", x, row(some, Scaling::centre));
        Value z = graph.node("Div", away, row(some, Scaling::scale));
        Value clip = row(some, scaling -> scaling.clip() == 0 ? NO_CLIP : scaling.clip());
        Value share = graph.node("Div", z, clip);
        Value near = graph.node("Clip", share, graph.exact(-FAR), graph.exact(FAR));
        Value root =
                graph.node(
                        "Sqrt", graph.node("Add", graph.exact(1), graph.node("Mul", near, near)));
        return graph.node("Mul", graph.node("Div", near, root), clip);
    }

    private Value row(List<Dense> some, ToDoubleFunction<Scaling> part) {
        List<Double> values =
                some.stream().map(column -> part.applyAsDouble(column.scaling())).toList();
        return graph.constant(Constants.doubles(values, some.size()));
    }

    /** FLOAT; beyond what a float holds the largest there is. */
    private Value whereMissing(Value isMissing, Value x, List<Dense> some) {
        Value most = graph.exact(Float.MAX_VALUE);
        Value finite = graph.node("Clip", x, graph.exact(-Float.MAX_VALUE), most);
        List<Double> absent =
                some.stream().map(column -> column.keepsMissing() ? Double.NaN : 0).toList();
        Value fill = graph.constant(Constants.doubles(absent, some.size()));
        return graph.cast(graph.node("Where", isMissing, fill, finite), Port.Type.FLOAT);
    }
}
