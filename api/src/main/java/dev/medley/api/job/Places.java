package dev.medley.api.job;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records where every key and value of a job was written, by JSON pointer. */
final class Places {
    private final Map<String, Place> keys = new HashMap<>();
    private final Map<String, Place> values = new HashMap<>();
    private final Map<String, String> raws = new HashMap<>();

    void key(String pointer, Place place) {
        keys.put(pointer, place);
    }

    void value(String pointer, Place place) {
        values.put(pointer, place);
    }

    /** The scalar at {@code pointer} as the user typed it. */
    void raw(String pointer, String text) {
        raws.put(pointer, text);
    }

    /** The value at {@code from} is to be known as {@code to} too; the way of short forms. */
    void alias(String from, String to) {
        values.put(to, ofValue(from));
        keys.put(to, ofKey(from));
        String text = raws.get(from);
        if (text != null) {
            raws.put(to, text);
        }
    }

    /** Forgets the value at {@code pointer} and everything in it; an override takes its place. */
    void forget(String pointer) {
        for (Map<String, ?> map : java.util.List.of(keys, values, raws)) {
            map.keySet().removeIf(p -> p.equals(pointer) || p.startsWith(pointer + "/"));
        }
    }

    @Nullable String raw(String pointer) {
        return raws.get(pointer);
    }

    boolean has(String pointer) {
        return values.containsKey(pointer);
    }

    /** The key's place; where there is no such key, that of the nearest section around it. */
    Place ofKey(String pointer) {
        Place own = keys.get(pointer);
        return own != null ? own : ofValue(pointer);
    }

    /** The value's place; where there is no such value, that of the nearest section around it. */
    Place ofValue(String pointer) {
        for (String at = pointer; !at.isEmpty(); at = Pointer.parent(at)) {
            Place place = at.equals(pointer) ? values.get(at) : keys.get(at);
            if (place != null) {
                return place;
            }
        }
        return Place.START;
    }
}
