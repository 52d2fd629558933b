package dev.medley.api.schema;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.base.text.DidYouMean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Turns a validator's errors into complaints that name the key, what was found and what was
 * expected.
 */
public final class SchemaErrors {
    private final JobSchema schema;
    private final SourcePositions places;
    private final Complaints complaints;
    private final Expected expected;

    /** Adds what the schema finds wrong to {@code complaints}, each at its place. */
    public SchemaErrors(JobSchema schema, SourcePositions places, Complaints complaints) {
        this.schema = schema;
        this.places = places;
        this.complaints = complaints;
        this.expected = new Expected(schema);
    }

    /** Complains about everything in {@code job} that the schema does not allow. */
    public void complainAbout(JsonNode job) {
        Map<String, List<Error>> byInstance = new LinkedHashMap<>();
        for (Error error : Alternatives.meant(schema.validate(job))) {
            byInstance
                    .computeIfAbsent(pointer(error.getInstanceLocation()), p -> new ArrayList<>())
                    .add(error);
        }
        byInstance.forEach((pointer, errors) -> complain(job, pointer, errors));
    }

    private void complain(JsonNode job, String pointer, List<Error> errors) {
        List<Error> ofKeys =
                errors.stream().filter(e -> e.getKeyword().equals("additionalProperties")).toList();
        ofKeys.forEach(e -> unknownKey(pointer, e));
        List<Error> missing =
                errors.stream().filter(e -> e.getKeyword().equals("required")).toList();
        missing.stream().map(Error::getProperty).distinct().forEach(k -> missingKey(pointer, k));
        List<Error> ofValue = new ArrayList<>(errors);
        ofValue.removeAll(ofKeys);
        ofValue.removeAll(missing);
        if (!ofValue.isEmpty()) {
            value(pointer, job.at(pointer), ofValue);
        }
    }

    private void unknownKey(String pointer, Error error) {
        String key = error.getProperty();
        JsonNode siblings = siblings(error);
        String place = pointer.isEmpty() ? "a " + schema.noun() : Pointer.toPath(pointer);
        String child = Pointer.child(pointer, key);
        complaints.add(
                places.ofKey(child),
                "unknown key %s; %s"
                        .formatted(
                                Pointer.toPath(child),
                                hint(key, Pointer.toPath(child), siblings, place)));
    }

    private String hint(String key, String path, JsonNode siblings, String place) {
        List<String> names = List.copyOf(siblings.propertyNames());
        Optional<String> aka = expected.alsoKnownAs(key, siblings);
        Optional<String> meant = aka.isPresent() ? aka : DidYouMean.of(key, names);
        if (meant.isPresent()) {
            return "did you mean %s?".formatted(meant.get());
        }
        Optional<String> elsewhere = expected.sectionOf(key);
        if (elsewhere.isPresent() && elsewhere.get().equals(path)) {
            return "it goes with %s of another kind; this one has the keys %s"
                    .formatted(place, String.join(", ", names));
        }
        if (elsewhere.isPresent()) {
            return "did you mean %s?".formatted(elsewhere.get());
        }
        return "%s has the keys %s".formatted(place, String.join(", ", names));
    }

    private JsonNode siblings(Error error) {
        String at = error.getSchemaLocation().toString();
        String pointer = at.substring(at.indexOf('#') + 1);
        return schema.at(Pointer.parent(pointer)).path("properties");
    }

    private void missingKey(String pointer, String key) {
        String what =
                pointer.isEmpty()
                        ? "the " + schema.noun() + " has no " + key
                        : Pointer.toPath(pointer) + " has no " + key;
        String path = Pointer.toPath(Pointer.child(pointer, key));
        complaints.add(places.ofKey(pointer), "%s; %s".formatted(what, expected.remedy(path, key)));
    }

    private void value(String pointer, JsonNode found, List<Error> errors) {
        if (pointer.isEmpty()) {
            complaints.add(
                    places.ofValue(pointer),
                    "a %s is a mapping of keys such as %s, found %s"
                            .formatted(schema.noun(), firstKeys(), FoundValue.describe(found)));
            return;
        }
        if (found.isNull()) {
            complaints.add(
                    places.ofKey(pointer),
                    "%s has no value; give it one or remove the key"
                            .formatted(Pointer.toPath(pointer)));
            return;
        }
        List<String> words = errors.stream().flatMap(e -> Expected.words(e).stream()).toList();
        String wanted =
                errors.stream().allMatch(e -> e.getKeyword().equals("const"))
                        ? "one of " + String.join(", ", words)
                        : errors.stream()
                                .map(e -> expected.describe(e, found))
                                .distinct()
                                .collect(Collectors.joining(", or "));
        complaints.add(
                places.ofValue(pointer),
                "%s: found %s, expected %s%s"
                        .formatted(
                                Pointer.toPath(pointer),
                                FoundValue.describe(found),
                                wanted,
                                meantWord(found, errors)));
    }

    /** The first two that a file cannot do without. */
    private String firstKeys() {
        return schema.tree()
                .path("required")
                .valueStream()
                .limit(2)
                .map(key -> key.asString() + ":")
                .collect(Collectors.joining(" and "));
    }

    private String meantWord(JsonNode found, List<Error> errors) {
        if (!found.isString()) {
            boolean wantsText =
                    errors.stream().allMatch(e -> Expected.isType(e, "string"))
                            && !errors.isEmpty();
            return wantsText && found.isValueNode() ? "; put it in quotes" : "";
        }
        List<String> words = errors.stream().flatMap(e -> Expected.words(e).stream()).toList();
        Optional<String> aka = expected.wordAlsoKnownAs(found.stringValue(), errors);
        return (aka.isPresent() ? aka : DidYouMean.of(found.stringValue(), words))
                .map(w -> "; did you mean %s?".formatted(w))
                .orElse("");
    }

    /** The validator's location as the pointers used everywhere else. */
    static String pointer(NodePath location) {
        String pointer = Pointer.ROOT;
        for (int i = 0; i < location.getNameCount(); i++) {
            pointer = Pointer.child(pointer, location.getName(i));
        }
        return pointer;
    }
}
