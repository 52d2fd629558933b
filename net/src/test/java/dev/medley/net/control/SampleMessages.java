package dev.medley.net.control;

import dev.medley.base.Json;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Version;
import dev.medley.base.strategy.StrategySpec;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A message of each type, made by looking at the types: one that is new has one too. */
final class SampleMessages {
    /** The field of what may be any JSON. */
    static final String ANYTHING = "anything";

    /** The only entry of a map, and that of one whose keys are numbers. */
    static final String KEY = "key";

    static final String NUMBER_KEY = "1";

    /** What bytes look like. */
    static final JsonNode BYTES = Json.parse("\"\"", JsonNode.class);

    private SampleMessages() {}

    /** One of each. */
    static List<Message> all() {
        return types(Message.class).stream()
                .map(SampleMessages::of)
                .map(Message.class::cast)
                .toList();
    }

    private static List<Class<?>> types(Class<?> sealed) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> each : sealed.getPermittedSubclasses()) {
            if (each.isRecord()) {
                all.add(each);
            } else {
                types(each).stream().filter(t -> !all.contains(t)).forEach(all::add);
            }
        }
        return all.stream().distinct().toList();
    }

    private static Object of(Class<?> record) {
        if (record == StrategySpec.class) {
            return StrategySpec.defaults();
        } else if (record == MeasuredRoute.class) {
            return MeasuredRoute.NONE;
        }
        RecordComponent[] components = record.getRecordComponents();
        Object[] values =
                Arrays.stream(components)
                        .map(
                                c ->
                                        c.getName().equals("version") && c.getType() == String.class
                                                ? Version.build()
                                                : value(c.getGenericType()))
                        .toArray();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = record.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no sample of " + record, e);
        }
    }

    private static Object key(Type type) {
        return type == String.class ? KEY : value(type);
    }

    private static Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type last =
                    generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            return generic.getRawType() == Map.class
                    ? Map.of(key(generic.getActualTypeArguments()[0]), value(last))
                    : List.of(value(last));
        }
        Class<?> plain = (Class<?>) type;
        if (plain == int.class || plain == Integer.class) {
            return 1;
        } else if (plain == long.class || plain == Long.class) {
            return 1L;
        } else if (plain == double.class || plain == Double.class) {
            return 2.0;
        } else if (plain == boolean.class || plain == Boolean.class) {
            return true;
        } else if (plain == String.class) {
            return "text";
        } else if (plain == JsonNode.class) {
            return Json.tree(Map.of(ANYTHING, "text"));
        } else if (plain == byte[].class) {
            return new byte[0];
        } else if (plain == float[].class) {
            return new float[] {1};
        } else if (plain.isEnum()) {
            return plain.getEnumConstants()[0];
        }
        return of(plain);
    }
}
