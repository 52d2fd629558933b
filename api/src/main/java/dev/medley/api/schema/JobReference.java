package dev.medley.api.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Lists every key of a job file with its default and meaning, read from the schema. */
public final class JobReference {
    /**
     * A key.
     *
     * @param path dotted, {@code train.optimizer.learning_rate}; options of a model family begin
     *     with {@code model.}
     * @param family the model family that has this option; empty for keys of every job
     * @param defaultText the value taken where the key is left out, with those that depend on other
     *     keys; empty for sections
     * @param title a few words
     * @param description sentences
     * @param example a value in YAML; empty for sections
     * @param alsoKnownAs names that others use for it
     */
    public record Key(
            String path,
            String family,
            String defaultText,
            String title,
            String description,
            String example,
            List<String> alsoKnownAs) {
        public Key {
            alsoKnownAs = List.copyOf(alsoKnownAs);
        }
    }

    /** Texts that are no number, truth value or mark of YAML: {@code 30s}, {@code a/b.csv}. */
    private static final String PLAIN =
            "(?!true|false|null)(?=.*[A-Za-z/])[A-Za-z0-9/.][-A-Za-z0-9_./$* ]*";

    /** A key with its place in the schema. */
    record Entry(Key key, JsonNode node) {}

    private final JobSchema schema = JobSchema.shared();
    private final List<Entry> entries = new ArrayList<>();

    private JobReference() {}

    /** All keys in the order of the schema; a section comes before its keys. */
    public static List<Key> keys() {
        return entries().stream().map(Entry::key).toList();
    }

    /**
     * What a family is.
     *
     * @param title a few words
     * @param description a sentence
     */
    public record Words(String title, String description) {}

    /** What the family of this name is; it is one of those that {@link #keys} names. */
    public static Words family(String name) {
        JsonNode family = JobSchema.shared().at("/$defs/" + name);
        return new Words(family.path("title").asString(), family.path("description").asString());
    }

    /** The words that stand for a model alone, as in {@code model: mlp}. */
    public static List<String> models() {
        return JobSchema.shared()
                .at("/properties/model/anyOf/0/enum")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    /** The JSON Schema itself, for editors. */
    public static String schema() {
        return JobSchema.text();
    }

    static List<Entry> entries() {
        JobReference reference = new JobReference();
        reference.walk(reference.schema.tree(), "", "");
        return List.copyOf(reference.entries);
    }

    private void walk(JsonNode section, String prefix, String family) {
        section.path("properties")
                .propertyStream()
                .forEach(p -> visit(p.getValue(), prefix + p.getKey(), family));
    }

    private void visit(JsonNode node, String path, String family) {
        Key key =
                new Key(
                        path,
                        family,
                        defaultText(node),
                        schema.keyword(node, "title").asString(""),
                        schema.keyword(node, "description").asString(""),
                        example(node),
                        schema.keyword(node, "x-aka")
                                .valueStream()
                                .map(JsonNode::asString)
                                .toList());
        entries.add(new Entry(key, node));
        for (JsonNode mapping : mappings(node)) {
            JsonNode constant = mapping.path("properties").path("family");
            walk(mapping, path + ".", schema.keyword(constant, "const").asString(family));
        }
    }

    /** The mappings that may stand at {@code node}: itself, or alternatives. */
    private List<JsonNode> mappings(JsonNode node) {
        JsonNode target = schema.target(node);
        if (target.has("properties")) {
            return List.of(target);
        }
        if (target.path("items").has("$ref")) {
            return mappings(target.path("items"));
        }
        return target.path("anyOf")
                .valueStream()
                .map(schema::target)
                .filter(
                        a ->
                                (a.has("properties") && !a.path("properties").has("class"))
                                        || isModel(a))
                .toList();
    }

    private static boolean isModel(JsonNode mapping) {
        return mapping.path("properties").has("family") || mapping.path("properties").has("train");
    }

    private String defaultText(JsonNode node) {
        JsonNode words = schema.keyword(node, "x-default");
        if (words.isString()) {
            return words.stringValue();
        }
        JsonNode value = schema.keyword(node, "default");
        if (value.isMissingNode()) {
            return "";
        }
        String others =
                schema.keyword(node, "x-defaults")
                        .propertyStream()
                        .map(e -> yaml(e.getValue()) + " for " + condition(e))
                        .collect(Collectors.joining("; "));
        String when = schema.keyword(node, "x-when").asString("");
        return yaml(value)
                + (others.isEmpty() ? "" : "; " + others)
                + (when.isEmpty() ? "" : "; if " + when);
    }

    private static String condition(Map.Entry<String, JsonNode> entry) {
        return entry.getKey().substring(entry.getKey().indexOf('=') + 1);
    }

    private String example(JsonNode node) {
        JsonNode examples = schema.keyword(node, "examples");
        return examples.isEmpty() ? "" : yaml(examples.path(0));
    }

    /** In YAML's flow style, which is what people type on a command line. */
    private static String yaml(JsonNode value) {
        if (value.isArray()) {
            return value.valueStream()
                    .map(JobReference::yaml)
                    .collect(Collectors.joining(", ", "[", "]"));
        } else if (value.isObject()) {
            return value.propertyStream()
                    .map(e -> e.getKey() + ": " + yaml(e.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        String text = value.asString();
        boolean quoted = value.isString() && !text.matches(PLAIN);
        return quoted ? "\"" + text + "\"" : text;
    }
}
