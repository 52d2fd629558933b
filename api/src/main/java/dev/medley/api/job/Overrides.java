package dev.medley.api.job;

import dev.medley.api.job.Settings.Setting;
import dev.medley.api.schema.FoundValue;
import dev.medley.api.yaml.Complaints;
import dev.medley.api.yaml.Pointer;
import dev.medley.api.yaml.SourcePosition;
import dev.medley.api.yaml.SourcePositions;
import dev.medley.api.yaml.YamlTree;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies settings of the command line, {@code train.epochs=2}, to a job. A setting is a dotted
 * path (a number is an index into a list, or the one after its last) and a value read as YAML, or a
 * text as it stands. Settings take the place of what the file says; short forms on their paths
 * become mappings first.
 */
final class Overrides {
    private final ObjectNode root;
    private final SourcePositions places;
    private final Complaints complaints;
    private final Shorthand shorthand;

    Overrides(ObjectNode root, SourcePositions places, Complaints complaints) {
        this.root = root;
        this.places = places;
        this.complaints = complaints;
        this.shorthand = new Shorthand(places);
    }

    /** What sets a whole key comes before what sets a part of it; else the last one holds. */
    void apply(Settings settings) {
        settings.all().stream()
                .sorted(Comparator.comparingInt(Overrides::depth))
                .forEach(this::apply);
    }

    private static int depth(Setting setting) {
        return setting.assignment().split("=", 2)[0].split("\\.", -1).length;
    }

    private void apply(Setting setting) {
        SourcePosition place = SourcePosition.of(setting.said());
        String override = setting.assignment();
        int equals = override.indexOf('=');
        String path = equals < 0 ? override : override.substring(0, equals).strip();
        if ((equals < 0 && setting.text() == null) || !path.matches("[^.=\\s]+(\\.[^.=\\s]+)*")) {
            complaints.add(place, "not key=value; for example -s train.epochs=2");
            return;
        }
        String[] keys = path.split("\\.");
        String pointer = Pointer.ofPath(path);
        JsonNode parent = parent(keys, place);
        if (parent == null) {
            return;
        }
        places.forget(pointer);
        JsonNode value = value(setting, pointer, place);
        places.key(pointer, place);
        places.value(pointer, place);
        set(parent, keys[keys.length - 1], value == null ? nothing() : value, place);
    }

    private @Nullable JsonNode value(Setting setting, String pointer, SourcePosition place) {
        String text = setting.text();
        if (text != null) {
            places.raw(pointer, text);
            return JsonNodeFactory.instance.stringNode(text);
        }
        String yaml = setting.assignment().substring(setting.assignment().indexOf('=') + 1);
        return YamlTree.ofOverride(yaml, pointer, place, places, complaints);
    }

    private @Nullable JsonNode parent(String[] keys, SourcePosition place) {
        JsonNode at = root;
        String pointer = Pointer.ROOT;
        for (int i = 0; i + 1 < keys.length; i++) {
            pointer = Pointer.child(pointer, keys[i]);
            JsonNode child = child(at, keys[i]);
            if (child == null) {
                child =
                        isIndex(keys[i + 1])
                                ? JsonNodeFactory.instance.arrayNode()
                                : JsonNodeFactory.instance.objectNode();
                places.key(pointer, place);
                places.value(pointer, place);
            } else {
                child = shorthand.expandAt(child, pointer);
            }
            if (!child.isContainer()) {
                complaints.add(
                        place,
                        "%s is %s in the file: it has no keys"
                                .formatted(Pointer.toPath(pointer), FoundValue.describe(child)));
                return null;
            }
            if (!set(at, keys[i], child, place)) {
                return null;
            }
            at = child;
        }
        return at;
    }

    private static @Nullable JsonNode child(JsonNode node, String key) {
        return node.isArray() && isIndex(key) ? node.get(Integer.parseInt(key)) : node.get(key);
    }

    private static boolean isIndex(String key) {
        return key.matches("\\d{1,6}");
    }

    private boolean set(JsonNode parent, String key, JsonNode value, SourcePosition place) {
        if (parent instanceof ObjectNode object) {
            object.set(key, value);
            return true;
        }
        ArrayNode array = (ArrayNode) parent;
        if (key.equals(Integer.toString(array.size()))) {
            array.add(value);
            return true;
        }
        if (child(array, key) == null) {
            complaints.add(
                    place,
                    "the list has %d entries: '%s' is none of 0 to %d"
                            .formatted(array.size(), key, array.size()));
            return false;
        }
        array.set(Integer.parseInt(key), value);
        return true;
    }

    private static JsonNode nothing() {
        return JsonNodeFactory.instance.nullNode();
    }
}
