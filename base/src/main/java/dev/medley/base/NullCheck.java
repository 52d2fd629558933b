package dev.medley.base;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;

/**
 * Finds nulls in a record that its type does not announce: in its components, in theirs, and in the
 * elements of lists and maps. The compiler keeps such nulls out of what our own code makes, and
 * cannot see those that come from a text.
 */
final class NullCheck {
    private static final ClassValue<List<Component>> COMPONENTS =
            new ClassValue<>() {
                @Override
                protected List<Component> computeValue(Class<?> type) {
                    return Arrays.stream(type.getRecordComponents()).map(Component::of).toList();
                }
            };

    private NullCheck() {}

    private record Component(String name, AnnotatedType type, Method accessor) {
        static Component of(RecordComponent component) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return new Component(component.getName(), component.getAnnotatedType(), accessor);
        }

        @Nullable Object of(Object owner) {
            try {
                return accessor.invoke(owner);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("an accessor of " + owner.getClass(), e);
            }
        }
    }

    /** The value itself; a {@link tools.jackson.core.JacksonException} if there is a gap in it. */
    static <T> T requireNone(@Nullable T value) {
        if (value == null) {
            throw malformed("null in the place of a value");
        }
        in(value)
                .ifPresent(
                        where -> {
                            throw malformed(
                                    "%s of %s is missing or null"
                                            .formatted(where, value.getClass().getSimpleName()));
                        });
        return value;
    }

    /** Where the first gap is, as a path of names; empty if there is none. */
    private static Optional<String> in(Object value) {
        if (!(value instanceof Record)) {
            return Optional.empty();
        }
        for (Component component : COMPONENTS.get(value.getClass())) {
            Optional<String> gap = at(component.name(), component.type(), component.of(value));
            if (gap.isPresent()) {
                return gap;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> at(String path, AnnotatedType type, @Nullable Object value) {
        if (value == null || (value instanceof JsonNode node && node.isNull())) {
            return type.isAnnotationPresent(Nullable.class) ? Optional.empty() : Optional.of(path);
        }
        if (value instanceof Iterable<?> elements && !(value instanceof JsonNode)) {
            return among(path, argument(type, 0), elements);
        } else if (value instanceof Map<?, ?> map) {
            return among(path, argument(type, 1), map.values());
        }
        return in(value).map(inner -> path + "." + inner);
    }

    private static Optional<String> among(
            String path, @Nullable AnnotatedType type, Iterable<?> elements) {
        int index = 0;
        for (Object element : elements) {
            String place = path + "[" + index++ + "]";
            Optional<String> gap =
                    type != null
                            ? at(place, type, element)
                            : element == null ? Optional.of(place) : in(element);
            if (gap.isPresent()) {
                return gap;
            }
        }
        return Optional.empty();
    }

    private static @Nullable AnnotatedType argument(AnnotatedType type, int index) {
        return type instanceof AnnotatedParameterizedType parameterized
                        && parameterized.getAnnotatedActualTypeArguments().length > index
                ? parameterized.getAnnotatedActualTypeArguments()[index]
                : null;
    }

    private static DatabindException malformed(String message) {
        return DatabindException.from((JsonParser) null, message);
    }
}
