package dev.medley.api.job;

import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.SourcePositions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Expands short forms to the mappings and lists that they stand for: {@code model: mlp}. */
final class Shorthand {
    /** Pointer pattern to the key under which a value that is no mapping goes; null for none. */
    private static final Map<Pattern, Function<JsonNode, @Nullable String>> KEYS =
            new LinkedHashMap<>();

    private static final Pattern LISTS =
            Pattern.compile(
                    "/data/(train|validation|text/include|series/(by|targets|known|columns)"
                            + "|table/(missing|drop|categorical|numeric))"
                            + "|/train/metrics|/model/lora/targets"
                            + "|/cluster/(java_options|class_path)");

    /** A residual network by its depth. */
    private static final Pattern RESNET = Pattern.compile("resnet\\d+");

    /** The ending of a file in TorchScript. */
    private static final String SCRIPT = ".pt";

    static {
        key("/data", v -> "train");
        key("/model", v -> isClass(v) ? "class" : "family");
        key("/train/(optimizer|schedule)|/strategy", v -> "kind");
        key("/model/lora", v -> "rank");
        key("/train/threshold", v -> "maximise");
        key("/train/loss|/train/metrics/\\d+", v -> isClass(v) ? "class" : null);
        key("/train/callbacks/\\d+", v -> "class");
        key("/data/split", v -> v.isNumber() ? "validation" : "kind");
        key("/cluster", v -> "workers");
        key("/checkpoint", v -> "every");
    }

    private final SourcePositions places;

    Shorthand(SourcePositions places) {
        this.places = places;
    }

    private static void key(String pattern, Function<JsonNode, @Nullable String> key) {
        KEYS.put(Pattern.compile(pattern), key);
    }

    private static boolean isClass(JsonNode value) {
        return value.isString() && value.stringValue().indexOf('.') >= 0;
    }

    /** Replaces every short form in the tree. */
    void expand(ObjectNode root) {
        expandChildren(root, Pointer.ROOT);
    }

    private JsonNode expandAll(JsonNode value, String pointer) {
        JsonNode expanded = expandAt(value, pointer);
        expandChildren(expanded, pointer);
        return expanded;
    }

    private void expandChildren(JsonNode value, String pointer) {
        if (value instanceof ObjectNode object) {
            for (String key : object.propertyNames().toArray(String[]::new)) {
                object.set(key, expandAll(object.path(key), Pointer.child(pointer, key)));
            }
        } else if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, expandAll(array.path(i), Pointer.child(pointer, i)));
            }
        }
    }

    /** The mapping or list that {@code value} stands for at {@code pointer}; else itself. */
    JsonNode expandAt(JsonNode value, String pointer) {
        if (value.isObject()) {
            return value;
        }
        if (LISTS.matcher(pointer).matches() && !value.isArray()) {
            places.alias(pointer, Pointer.child(pointer, 0));
            return JsonNodeFactory.instance.arrayNode().add(value);
        }
        if (pointer.equals("/model") && RESNET.matcher(value.asString("")).matches()) {
            ObjectNode model = under("family", value, pointer);
            model.put("family", "resnet");
            model.put("depth", Integer.parseInt(value.asString().substring("resnet".length())));
            return model;
        }
        if (pointer.equals("/model") && value.asString("").endsWith(SCRIPT)) {
            ObjectNode model = under("file", value, pointer);
            model.put("family", "torchscript");
            return model;
        }
        for (var entry : KEYS.entrySet()) {
            if (entry.getKey().matcher(pointer).matches()) {
                String key = entry.getValue().apply(value);
                return key == null ? value : under(key, value, pointer);
            }
        }
        return value;
    }

    private ObjectNode under(String key, JsonNode value, String pointer) {
        String child = Pointer.child(pointer, key);
        places.alias(pointer, child);
        for (int i = 0; i < value.size(); i++) {
            places.alias(Pointer.child(pointer, i), Pointer.child(child, i));
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.set(key, value);
        return object;
    }
}
