package dev.medley.api.job;

import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.Quantity;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.base.custom.ClassSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads a mapping of a job that the schema has found valid, key by key; a key that is absent gives
 * the default. What the schema cannot see (a number too large for its unit) becomes a complaint.
 */
public final class Section {
    private final JsonNode node;
    private final String pointer;
    private final SourcePositions places;
    private final Complaints complaints;

    Section(JsonNode node, String pointer, SourcePositions places, Complaints complaints) {
        this.node = node;
        this.pointer = pointer;
        this.places = places;
        this.complaints = complaints;
    }

    /** Whether the user wrote {@code key}. */
    public boolean has(String key) {
        return node.has(key);
    }

    /** The dotted path of a key, for messages. */
    public String path(String key) {
        return Pointer.toPath(Pointer.child(pointer, key));
    }

    /** Complains at the place of a key. */
    public void complain(String key, String message) {
        complaints.add(places.ofKey(Pointer.child(pointer, key)), message);
    }

    /** The keys that the user wrote. */
    public List<String> keys() {
        return List.copyOf(node.propertyNames());
    }

    /** The mapping under {@code key}; an empty one where it is absent. */
    public Section section(String key) {
        JsonNode child = node.has(key) ? node.path(key) : JsonNodeFactory.instance.objectNode();
        return new Section(child, Pointer.child(pointer, key), places, complaints);
    }

    /** A text, or {@code absent}. */
    public String text(String key, String absent) {
        return node.has(key) ? node.path(key).asString() : absent;
    }

    /** A text, or null. */
    public @Nullable String textOrNull(String key) {
        return node.has(key) ? node.path(key).asString() : null;
    }

    /** What stands there, as it was written; a missing node where nothing does. */
    public JsonNode written(String key) {
        return node.path(key);
    }

    /** Whether a text stands there. */
    public boolean isWord(String key) {
        return node.path(key).isString();
    }

    /** Whether the user wrote {@code key: true}. */
    public boolean isTrue(String key) {
        return flag(key, false);
    }

    boolean flag(String key, boolean absent) {
        return node.has(key) ? node.path(key).booleanValue() : absent;
    }

    @Nullable Boolean flagOrNull(String key) {
        return node.has(key) ? node.path(key).booleanValue() : null;
    }

    /** A whole number that an int holds, or {@code absent}. */
    public int count(String key, int absent) {
        return node.has(key) ? node.path(key).decimalValue().intValueExact() : absent;
    }

    /** A whole number, or {@code absent}. */
    public long integer(String key, long absent) {
        return node.has(key) ? node.path(key).decimalValue().longValueExact() : absent;
    }

    /** A number, or {@code absent}. */
    public double number(String key, double absent) {
        return node.has(key) ? node.path(key).doubleValue() : absent;
    }

    @Nullable Double numberOrNull(String key) {
        return node.has(key) ? node.path(key).doubleValue() : null;
    }

    /** Nanoseconds. */
    public long duration(String key, long absentNs) {
        return quantity(key, absentNs, Quantity::durationNs);
    }

    /** Bytes. */
    long size(String key, long absentBytes) {
        return quantity(key, absentBytes, Quantity::sizeBytes);
    }

    private long quantity(String key, long absent, Function<String, Long> parser) {
        if (!node.has(key)) {
            return absent;
        }
        try {
            return parser.apply(node.path(key).asString());
        } catch (ArithmeticException e) {
            complain(key, "%s: %s is too large".formatted(path(key), node.path(key).asString()));
            return absent;
        }
    }

    /** The constant whose name is written as {@code shared-memory}. */
    public <E extends Enum<E>> E constant(String key, Class<E> type, E absent) {
        return node.has(key) ? constant(node.path(key).asString(), type) : absent;
    }

    static <E extends Enum<E>> E constant(String word, Class<E> type) {
        return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** A list of texts, or one text alone, or {@code absent}. */
    public List<String> texts(String key, List<String> absent) {
        return list(key, absent, JsonNode::asString);
    }

    List<Integer> counts(String key, List<Integer> absent) {
        return list(key, absent, n -> n.decimalValue().intValueExact());
    }

    List<Double> numbers(String key, List<Double> absent) {
        return list(key, absent, JsonNode::doubleValue);
    }

    private <T> List<T> list(String key, List<T> absent, Function<JsonNode, T> reader) {
        JsonNode given = node.path(key);
        Stream<JsonNode> entries = given.isArray() ? given.valueStream() : Stream.of(given);
        return node.has(key) ? entries.map(reader).toList() : absent;
    }

    /** The entries of a list, as mappings; an entry that is none has no keys. */
    public List<Section> sections(String key) {
        List<Section> result = new ArrayList<>();
        String list = Pointer.child(pointer, key);
        for (JsonNode entry : node.path(key)) {
            String at = Pointer.child(list, result.size());
            result.add(new Section(entry, at, places, complaints));
        }
        return result;
    }

    /** The scalar that stands where a mapping could. */
    String word() {
        return node.asString();
    }

    /** The number that stands where a mapping could. */
    double asNumber() {
        return node.doubleValue();
    }

    boolean isNumber() {
        return node.isNumber();
    }

    boolean isWord() {
        return node.isString();
    }

    /** The keys {@code class} and {@code options} of this mapping; options as they were typed. */
    ClassSpec ownClass() {
        Map<String, String> options = new LinkedHashMap<>();
        String under = Pointer.child(pointer, "options");
        node.path("options")
                .propertyStream()
                .forEach(
                        o -> {
                            String typed = places.raw(Pointer.child(under, o.getKey()));
                            options.put(
                                    o.getKey(), typed != null ? typed : o.getValue().asString());
                        });
        return new ClassSpec(text("class", ""), options);
    }
}
