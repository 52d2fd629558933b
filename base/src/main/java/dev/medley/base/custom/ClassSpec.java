package dev.medley.base.custom;

import static dev.medley.base.ConfigException.check;

import java.util.Map;

/**
 * A user's own class, found by name on the class path of every process of the run.
 *
 * @param className fully qualified; the class has a constructor without parameters, or one that
 *     takes the options
 * @param options handed to that constructor as they stand in the job file
 */
public record ClassSpec(String className, Map<String, String> options) {
    public ClassSpec {
        check(!className.isBlank(), "class name is empty: name a class on the class path");
        options = Map.copyOf(options);
    }

    /** A class without options. */
    public static ClassSpec of(Class<?> type) {
        return new ClassSpec(type.getName(), Map.of());
    }
}
