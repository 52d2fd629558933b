package dev.medley.api.yaml;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records where every key and value of a job was written, by JSON pointer. */
public final class SourcePositions {
    private final Map<String, SourcePosition> keys = new HashMap<>();
    private final Map<String, SourcePosition> values = new HashMap<>();
    private final Map<String, String> raws = new HashMap<>();

    /** Notes where the key of a value stands. */
    public void key(String pointer, SourcePosition place) {
        keys.put(pointer, place);
    }

    /** Notes where a value stands. */
    public void value(String pointer, SourcePosition place) {
        values.put(pointer, place);
    }

    /** The scalar at {@code pointer} as the user typed it. */
    public void raw(String pointer, String text) {
        raws.put(pointer, text);
    }

    /** The value at {@code from} is to be known as {@code to} too; the way of short forms. */
    public void alias(String from, String to) {
        values.put(to, ofValue(from));
        keys.put(to, ofKey(from));
        String text = raws.get(from);
        if (text != null) {
            raws.put(to, text);
        }
    }

    /** Forgets the value at {@code pointer} and everything in it; an override takes its place. */
    public void forget(String pointer) {
        for (Map<String, ?> map : java.util.List.of(keys, values, raws)) {
            map.keySet().removeIf(p -> p.equals(pointer) || p.startsWith(pointer + "/"));
        }
    }

    /** The text of a value as it was written; null where nobody noted it. */
    @Nullable
    public String raw(String pointer) {
        return raws.get(pointer);
    }

    /** Whether the file has a value there. */
    public boolean has(String pointer) {
        return values.containsKey(pointer);
    }

    /** The key's place; where there is no such key, that of the nearest section around it. */
    public SourcePosition ofKey(String pointer) {
        SourcePosition own = keys.get(pointer);
        return own != null ? own : ofValue(pointer);
    }

    /** The value's place; where there is no such value, that of the nearest section around it. */
    public SourcePosition ofValue(String pointer) {
        for (String at = pointer; !at.isEmpty(); at = Pointer.parent(at)) {
            SourcePosition place = at.equals(pointer) ? values.get(at) : keys.get(at);
            if (place != null) {
                return place;
            }
        }
        return SourcePosition.START;
    }
}
