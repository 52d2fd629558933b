package dev.medley.serving.page;

import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.input.InputPort;
import dev.medley.serving.tensor.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes JSON schemas of what a model takes, with examples. */
final class Schemas {
    /** Longer examples help nobody. */
    private static final long MOST_NUMBERS = 2000;

    private Schemas() {}

    /** A map in the order of its pairs. */
    static Map<String, Object> object(Object... pairs) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            all.put((String) pairs[i], pairs[i + 1]);
        }
        return all;
    }

    static Map<String, Object> ref(String name) {
        return object("$ref", "#/components/schemas/" + name);
    }

    /** A row of a model. */
    static Map<String, Object> row(Encoding encoding) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RowColumn column : RowColumn.of(encoding)) {
            Map<String, Object> one =
                    object(
                            "type",
                            List.of(column.type(), "null"),
                            "description",
                            column.about(),
                            "examples",
                            column.values().isEmpty()
                                    ? List.of(column.example())
                                    : withFirst(column.example(), column.values()));
            properties.put(column.name(), one);
        }
        for (String name : GivenRows.columns(encoding)) {
            properties.put(name, object("type", List.of("number", "string", "null")));
        }
        return object("type", "object", "properties", properties);
    }

    private static List<Object> withFirst(Object first, List<String> values) {
        List<Object> all = new ArrayList<>(List.of(first));
        values.stream().filter(value -> !value.equals(first)).forEach(all::add);
        return all;
    }

    /** A plausible row. */
    static Map<String, Object> exampleRow(Encoding encoding) {
        Map<String, Object> row = new LinkedHashMap<>();
        RowColumn.of(encoding).forEach(column -> row.put(column.name(), column.example()));
        if (encoding instanceof SeriesEncoding series && !series.scales().isEmpty()) {
            List<String> names = series.scales().get(0).series();
            for (int i = 0; i < names.size(); i++) {
                row.put(series.by().get(i), names.get(i));
            }
        }
        return row;
    }

    /** A request of version 2. */
    static Map<String, Object> infer(ServedModel model) {
        List<Object> inputs = new ArrayList<>();
        for (InputPort port : model.inputs()) {
            inputs.add(
                    object(
                            "type",
                            "object",
                            "description",
                            port.name() + ": " + port.about(),
                            "required",
                            List.of("name", "shape", "datatype"),
                            "properties",
                            object(
                                    "name",
                                    object("const", port.name()),
                                    "shape",
                                    object(
                                            "type",
                                            "array",
                                            "items",
                                            object("type", "integer"),
                                            "examples",
                                            List.of(shape(port))),
                                    "datatype",
                                    object("type", "string", "examples", List.of(port.type())),
                                    "parameters",
                                    object("type", "object"),
                                    "data",
                                    object("type", "array"))));
        }
        return object(
                "type",
                "object",
                "required",
                List.of("inputs"),
                "properties",
                object(
                        "id",
                        object("type", "string"),
                        "parameters",
                        object("type", "object"),
                        "inputs",
                        object("type", "array", "items", object("anyOf", inputs)),
                        "outputs",
                        object("type", "array", "items", ref("request_output"))));
    }

    private static List<Long> shape(InputPort port) {
        return port.shape().stream().map(length -> length < 0 ? 1L : length).toList();
    }

    /** Plausible arrays of one sample; empty where they would be very long. */
    static Map<String, Object> exampleInfer(ServedModel model) {
        Map<String, Object> row = exampleRow(model.model().encoding());
        List<Object> inputs = new ArrayList<>();
        for (InputPort port : model.inputs()) {
            long count = shape(port).stream().reduce(1L, (a, b) -> a * b);
            if (count > MOST_NUMBERS) {
                return Map.of();
            }
            Object filler =
                    port.type() == DataType.BYTES ? "" : port.name().equals("is_row") ? 1 : 0;
            Object known = row.get(port.name());
            known = known instanceof Boolean flag ? (Object) (flag ? 1 : 0) : known;
            boolean isDate = known instanceof String && port.type() != DataType.BYTES;
            inputs.add(
                    object(
                            "name",
                            port.name(),
                            "shape",
                            shape(port),
                            "datatype",
                            isDate ? DataType.BYTES : port.type(),
                            "data",
                            Collections.nCopies((int) count, known == null ? filler : known)));
        }
        return object("inputs", inputs);
    }
}
