package dev.medley.onnx.stage;

import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Node;
import dev.medley.tensor.graph.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each of several texts its code, and all others another.
 *
 * @param codes by text
 * @param others the code of any other text
 */
record TextCodes(Map<String, Long> codes, long others) {
    TextCodes {
        codes = new LinkedHashMap<>(codes);
    }

    /** The code of a text is its place. */
    TextCodes(List<String> texts, long others) {
        this(places(texts), others);
    }

    private static Map<String, Long> places(List<String> texts) {
        Map<String, Long> places = new LinkedHashMap<>();
        texts.forEach(text -> places.put(text, (long) places.size()));
        return places;
    }

    /** INT64 codes of the same shape. */
    Value of(Value texts, Graph graph) {
        if (codes.isEmpty()) {
            return new TextCodes(Map.of("", others), others).of(texts, graph);
        }
        return graph.node(
                Node.ML + "LabelEncoder",
                List.of(texts),
                new Attribute.Texts("keys_strings", List.copyOf(codes.keySet())),
                new Attribute.Wholes("values_int64s", List.copyOf(codes.values())),
                Attribute.of("default_int64", others));
    }
}
