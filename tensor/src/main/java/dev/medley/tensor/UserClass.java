package dev.medley.tensor;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ClassSpec;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/** Finds and makes a user's own class by its name. */
public final class UserClass {
    private UserClass() {}

    /**
     * An object of the named class, made by its constructor that takes the options as a {@code
     * Map<String, String>}, or by that without parameters.
     *
     * @param role what the class is for, as the job file says it
     * @throws ConfigException if there is no such class, or it is no {@code type}, or it cannot be
     *     made
     */
    public static <T> T create(ClassSpec spec, Class<T> type, String role) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Class<?> found = Class.forName(spec.className(), true, loader);
            ConfigException.check(
                    type.isAssignableFrom(found),
                    "%s class %s does not implement %s",
                    role,
                    spec.className(),
                    type.getName());
            return type.cast(construct(found, spec));
        } catch (ClassNotFoundException e) {
            throw new ConfigException(
                    "%s class %s is not on the class path: add its jar to cluster.class_path"
                            .formatted(role, spec.className()),
                    e);
        } catch (InvocationTargetException e) {
            throw new ConfigException(
                    "%s class %s failed in its constructor: %s"
                            .formatted(role, spec.className(), e.getCause()),
                    e);
        } catch (ReflectiveOperationException e) {
            throw new ConfigException(
                    ("%s class %s has no accessible constructor without parameters or with a"
                                    + " Map<String, String> of options")
                            .formatted(role, spec.className()),
                    e);
        }
    }

    private static Object construct(Class<?> type, ClassSpec spec)
            throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            if (parameters.length == 1 && parameters[0] == Map.class) {
                constructor.setAccessible(true);
                return constructor.newInstance(spec.options());
            }
        }
        ConfigException.check(
                spec.options().isEmpty(),
                "class %s takes no options, but %s are given: add a constructor that takes a"
                        + " Map<String, String>",
                spec.className(),
                spec.options());
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
