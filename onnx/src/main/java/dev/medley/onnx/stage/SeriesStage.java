package dev.medley.onnx.stage;

import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Node;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Scales windows over time, and forecasts back. Where each series has scales of its own, its name
 * is an input beside the window: a text for each column that tells series apart.
 */
public final class SeriesStage {
    private final SeriesEncoding series;
    private final Graph graph;
    private final Value past;
    private final Value centre;
    private final Value scale;
    private final @Nullable Value ahead;

    SeriesStage(SeriesEncoding series, Graph graph) {
        this.series = series;
        this.graph = graph;
        past =
                graph.input(
                        new Port(
                                "past",
                                Port.Type.DOUBLE,
                                List.of(
                                        Port.SAMPLES,
                                        "" + series.lookBack(),
                                        "" + series.channels()),
                                "rows before the forecast, the oldest first, of "
                                        + String.join(", ", series.targets())));
        boolean isOne = series.scales().size() == 1 && series.scales().get(0).series().isEmpty();
        Value which = isOne ? graph.wholes(0) : which();
        centre = of(which, Scaling::centre, 0, series.channels());
        scale = of(which, Scaling::scale, 0, series.channels());
        ahead = series.ahead().isEmpty() ? null : ahead(which);
    }

    /** The arrays that a model sees: FLOAT, scaled. */
    List<Value> arrays() {
        Value away = graph.node("Sub", past, centre);
        Value scaled = graph.cast(graph.node("Div", away, scale), Port.Type.FLOAT);
        return ahead == null ? List.of(scaled) : List.of(scaled, ahead);
    }

    /** Those of a forecast, but the samples: times, then columns. */
    String[] dimensions() {
        return new String[] {"" + series.horizon(), "" + series.channels()};
    }

    /** Forecasts [samples, horizon, targets] in the columns' own units. */
    Value forecast(Value outputs) {
        Value rows = graph.reshaped(outputs, graph.wholes(-1, series.horizon(), series.channels()));
        Value scaled = graph.node("Mul", graph.cast(rows, Port.Type.DOUBLE), scale);
        return graph.cast(graph.node("Add", scaled, centre), Port.Type.FLOAT);
    }

    /** Of the columns from {@code from} to before {@code to}, as they are stored. */
    private Value of(Value which, ToDoubleFunction<Scaling> part, int from, int to) {
        List<Double> values = new ArrayList<>();
        for (SeriesEncoding.Scales each : series.scales()) {
            each.targets().subList(from, to).forEach(s -> values.add(part.applyAsDouble(s)));
        }
        Value all = graph.constant(Constants.doubles(values, series.scales().size(), to - from));
        return graph.node("Gather", all, which);
    }

    /** What is known ahead, scaled, of rows that are seen and of those that are asked for. */
    private Value ahead(Value which) {
        int rows = series.lookBack() + series.horizon();
        Value known =
                graph.input(
                        new Port(
                                "known",
                                Port.Type.DOUBLE,
                                List.of(Port.SAMPLES, "" + rows, "" + series.ahead().size()),
                                "rows that are seen and then those that are asked for, of "
                                        + String.join(", ", series.ahead())));
        int from = series.channels();
        Value away = graph.node("Sub", known, of(which, Scaling::centre, from, series.columns()));
        Value scaled = graph.node("Div", away, of(which, Scaling::scale, from, series.columns()));
        return graph.cast(scaled, Port.Type.FLOAT);
    }

    /**
     * The index of a sample's scales, [samples, 1]. A series that training did not have gets one
     * beyond the last, of which the program that runs the graph says that there is none.
     */
    private Value which() {
        List<Long> keys =
                new ArrayList<>(java.util.Collections.nCopies(series.scales().size(), 0L));
        Value key = graph.index(0);
        for (int column = 0; column < series.by().size(); column++) {
            int place = column;
            Set<String> different = new LinkedHashSet<>();
            series.scales().forEach(each -> different.add(each.series().get(place)));
            Map<String, Long> codes = new LinkedHashMap<>();
            different.forEach(text -> codes.put(text, (long) codes.size()));
            String name = series.by().get(column);
            Value text =
                    graph.input(
                            new Port(
                                    name,
                                    Port.Type.STRING,
                                    List.of(Port.SAMPLES, "1"),
                                    "tells the series apart"));
            Value code = new TextCodes(codes, different.size()).of(text, graph);
            long base = different.size() + 1L;
            key = graph.node("Add", graph.node("Mul", key, graph.index(base)), code);
            for (int s = 0; s < keys.size(); s++) {
                long own = codes.getOrDefault(series.scales().get(s).series().get(place), 0L);
                keys.set(s, keys.get(s) * base + own);
            }
        }
        List<Long> places = new ArrayList<>();
        keys.forEach(each -> places.add((long) places.size()));
        return graph.node(
                Node.ML + "LabelEncoder",
                List.of(key),
                new Attribute.Wholes("keys_int64s", keys),
                new Attribute.Wholes("values_int64s", places),
                Attribute.of("default_int64", keys.size()));
    }
}
