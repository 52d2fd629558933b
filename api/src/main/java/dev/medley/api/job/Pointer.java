package dev.medley.api.job;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Converts names of values in a job: JSON pointers inside, dotted paths for people. */
final class Pointer {
    static final String ROOT = "";

    private Pointer() {}

    static String child(String pointer, String key) {
        return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    static String child(String pointer, int index) {
        return pointer + "/" + index;
    }

    /** {@code /train/groups/0/pattern} as {@code train.groups[0].pattern}. */
    static String toPath(String pointer) {
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
    static String ofPath(String path) {
        return "/" + path.replace('.', '/');
    }

    static String parent(String pointer) {
        int slash = pointer.lastIndexOf('/');
        return slash < 0 ? ROOT : pointer.substring(0, slash);
    }
}
