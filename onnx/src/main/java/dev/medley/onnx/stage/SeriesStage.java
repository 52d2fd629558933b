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
        centre = of(which, Scaling::centre);
        scale = of(which, Scaling::scale);
    }

    /** FLOAT, scaled. */
    Value past() {
        Value away = graph.node("Sub", past, centre);
        return graph.cast(graph.node("Div", away, scale), Port.Type.FLOAT);
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

    private Value of(Value which, ToDoubleFunction<Scaling> part) {
        List<Double> values = new ArrayList<>();
        series.scales()
                .forEach(each -> each.targets().forEach(s -> values.add(part.applyAsDouble(s))));
        Value all =
                graph.constant(
                        Constants.doubles(values, series.scales().size(), series.channels()));
        return graph.node("Gather", all, which);
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
