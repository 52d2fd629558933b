package dev.medley.base.custom;

import dev.medley.base.ConfigException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/**
 * Instantiates users' classes, which job files name. Every failure is the user's to mend, and its
 * message says how.
 */
public final class UserClass {
    private UserClass() {}

    /**
     * A new object.
     *
     * @param spec class name and options
     * @param type what it must be
     * @param where the job file's key, for messages
     */
    public static <T> T create(ClassSpec spec, Class<T> type, String where) {
        Class<?> found = find(spec.className(), where);
        if (!type.isAssignableFrom(found)) {
            throw new ConfigException(
                    "%s: %s is not a %s".formatted(where, spec.className(), type.getName()));
        }
        try {
            return type.cast(instantiate(found, spec, where));
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ConfigException(
                    "%s: the constructor of %s failed: %s"
                            .formatted(where, spec.className(), cause),
                    cause);
        } catch (ReflectiveOperationException e) {
            throw new ConfigException(
                    "%s: %s cannot be created: %s"
                            .formatted(where, spec.className(), e.getMessage()),
                    e);
        }
    }

    private static Class<?> find(String name, String where) {
        try {
            return Class.forName(name, true, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new ConfigException(
                    "%s: class %s is not on the class path; name its jar in cluster.class_path"
                            .formatted(where, name),
                    e);
        }
    }

    private static Object instantiate(Class<?> type, ClassSpec spec, String where)
            throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            if (parameters.length == 1 && parameters[0] == Map.class) {
                constructor.setAccessible(true);
                return constructor.newInstance(spec.options());
            }
        }
        if (!spec.options().isEmpty()) {
            throw new ConfigException(
                    ("%s: options %s are given, but %s has no constructor that takes a"
                                    + " Map<String, String>")
                            .formatted(where, spec.options().keySet(), spec.className()));
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 0) {
                constructor.setAccessible(true);
                return constructor.newInstance();
            }
        }
        throw new ConfigException(
                "%s: %s needs a constructor without parameters, or with a Map<String, String>"
                        .formatted(where, spec.className()));
    }
}
