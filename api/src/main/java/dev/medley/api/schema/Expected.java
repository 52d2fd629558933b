package dev.medley.api.schema;

import com.networknt.schema.Error;
import dev.medley.api.yaml.Pointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Describes in words what the schema wants. */
final class Expected {
    private static final Map<String, String> TYPES =
            Map.of(
                    "string", "a text",
                    "number", "a number",
                    "integer", "a whole number",
                    "boolean", "true or false",
                    "array", "a list",
                    "object", "a mapping of keys");

    private final JobSchema schema;

    Expected(JobSchema schema) {
        this.schema = schema;
    }

    /** "a whole number", "at least 1", "one of fp32, bf16, auto". */
    String describe(Error error, JsonNode found) {
        JsonNode limit = error.getSchemaNode();
        return switch (error.getKeyword()) {
            case "type" -> type(error, limit);
            case "minimum" -> "at least " + limit.asString();
            case "maximum" -> "at most " + limit.asString();
            case "exclusiveMinimum" -> "above " + limit.asString();
            case "exclusiveMaximum" -> "below " + limit.asString();
            case "minItems", "minLength" -> found.isArray() ? "at least one entry" : "some text";
            case "maxLength" -> limit.asInt() == 1 ? "one character" : "less text";
            case "enum" -> "one of " + String.join(", ", words(error));
            case "const" -> limit.asString();
            case "pattern" -> owner(error).path("x-expected").asString("another form");
            default -> error.getMessage();
        };
    }

    private String type(Error error, JsonNode types) {
        String words = owner(error).path("x-expected").asString("");
        if (!words.isEmpty()) {
            return words;
        }
        return types.isArray()
                ? types.valueStream()
                        .map(t -> TYPES.getOrDefault(t.asString(), t.asString()))
                        .collect(Collectors.joining(" or "))
                : TYPES.getOrDefault(types.asString(), types.asString());
    }

    private JsonNode owner(Error error) {
        String at = error.getSchemaLocation().toString();
        return schema.at(Pointer.parent(at.substring(at.indexOf('#') + 1)));
    }

    static boolean isType(Error error, String type) {
        JsonNode types = error.getSchemaNode(); // A list where there are several.
        return error.getKeyword().equals("type")
                && types.isString()
                && types.stringValue().equals(type);
    }

    /** The words that an {@code enum} or {@code const} allows. */
    static List<String> words(Error error) {
        return switch (error.getKeyword()) {
            case "enum" -> error.getSchemaNode().valueStream().map(JsonNode::asString).toList();
            case "const" -> List.of(error.getSchemaNode().asString());
            default -> List.of();
        };
    }

    /** The key among {@code properties} that others call {@code name}. */
    Optional<String> alsoKnownAs(String name, JsonNode properties) {
        return properties
                .propertyStream()
                .filter(
                        p ->
                                p.getValue()
                                        .path("x-aka")
                                        .valueStream()
                                        .anyMatch(a -> a.asString().equals(name)))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The word among those of an {@code enum} that others call {@code name}. */
    Optional<String> wordAlsoKnownAs(String name, List<Error> errors) {
        return errors.stream()
                .map(error -> owner(error).path("x-words-aka").path(name))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .findFirst();
    }

    /** The path of a key of this name, or known by it, in another section. */
    Optional<String> sectionOf(String name) {
        if (schema != JobSchema.shared()) {
            return Optional.empty();
        }
        List<String> paths = new ArrayList<>();
        for (JobReference.Key key : JobReference.keys()) {
            String own = key.path().substring(key.path().lastIndexOf('.') + 1);
            if (own.equals(name) || key.alsoKnownAs().contains(name)) {
                paths.add(key.path());
            }
        }
        return paths.stream().findFirst();
    }

    /** What to do about a missing key. */
    String remedy(String path, String key) {
        if (schema != JobSchema.shared()) {
            return "add it";
        }
        for (JobReference.Key known : JobReference.keys()) {
            if (known.path().equals(path) && !known.example().isEmpty()) {
                return "add for example %s: %s".formatted(key, known.example());
            }
        }
        return path.equals("model.family") ? "add for example family: mlp" : "add it";
    }
}
