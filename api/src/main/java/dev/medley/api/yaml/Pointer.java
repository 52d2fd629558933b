package dev.medley.api.yaml;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Converts names of values in a job: JSON pointers inside, dotted paths for people. */
public final class Pointer {
    public static final String ROOT = "";

    private Pointer() {}

    /** The pointer to a member of an object (RFC 6901). */
    public static String child(String pointer, String key) {
        return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    /** The pointer to an element of an array, counted from 0. */
    public static String child(String pointer, int index) {
        return pointer + "/" + index;
    }

    /** {@code /train/groups/0/pattern} as {@code train.groups[0].pattern}. */
    public static String toPath(String pointer) {
        if (pointer.isEmpty()) {
            return "";
        }
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(s -> s.replace("~1", "/").replace("~0", "~"))
                .map(s -> s.matches("\\d+") ? "[" + s + "]" : "." + s)
                .collect(Collectors.joining())
                .replaceFirst("^\\.", "");
    }

    /** {@code train.epochs} as {@code /train/epochs}; a number is an index. */
    public static String ofPath(String path) {
        return "/" + path.replace('.', '/');
    }

    /** The pointer to what holds the value; empty for the whole file. */
    public static String parent(String pointer) {
        int slash = pointer.lastIndexOf('/');
        return slash < 0 ? ROOT : pointer.substring(0, slash);
    }
}
