package dev.medley.hub.http;

import dev.medley.base.Json;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes records in JSON Schema 2020-12, as the JSON mapping writes them. */
final class RecordSchemas {
    private static final String PLACE = "#/components/schemas/";
    private final Map<String, Object> named = new TreeMap<>();

    /** Where the schema of a record lies. */
    static Map<String, Object> reference(Class<?> type) {
        return Map.of("$ref", PLACE + type.getSimpleName());
    }

    /** All records that were described, by name. */
    Map<String, Object> all() {
        return named;
    }

    /** Of a record or an array of records; what they are made of is described, too. */
    Map<String, Object> schema(Class<?> type) {
        return type.isArray()
                ? Map.of("type", "array", "items", schema(type.getComponentType()))
                : record(type);
    }

    /**
     * Of what a caller hands in: every part may be left out, and then is as in {@code defaults}.
     */
    Map<String, Object> body(String name, Object defaults) {
        record(defaults.getClass());
        String own = Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Body";
        @SuppressWarnings("unchecked")
        Map<String, Object> whole =
                (Map<String, Object>) named.get(defaults.getClass().getSimpleName());
        Map<String, Object> parts = new LinkedHashMap<>(whole);
        parts.remove("required");
        parts.put("default", Json.tree(defaults));
        named.put(own, parts);
        return Map.of("$ref", PLACE + own);
    }

    private Map<String, Object> record(Class<?> type) {
        if (!named.containsKey(type.getSimpleName())) {
            named.put(type.getSimpleName(), Map.of());
            Map<String, Object> properties = new LinkedHashMap<>();
            List<String> names = new ArrayList<>();
            for (RecordComponent each : type.getRecordComponents()) {
                properties.put(each.getName(), of(each.getAnnotatedType()));
                names.add(each.getName());
            }
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "object");
            schema.put("properties", properties);
            schema.put("required", names);
            schema.put("additionalProperties", false);
            named.put(type.getSimpleName(), schema);
        }
        return reference(type);
    }

    private Map<String, Object> of(AnnotatedType type) {
        if (type instanceof AnnotatedParameterizedType parameterized) {
            AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
            Map<String, Object> last = of(arguments[arguments.length - 1]);
            return arguments.length == 1
                    ? Map.of("type", "array", "items", last)
                    : Map.of("type", "object", "additionalProperties", last);
        }
        Class<?> plain = (Class<?>) type.getType();
        if (plain.isEnum()) {
            List<String> words =
                    Arrays.stream(plain.getEnumConstants()).map(String::valueOf).toList();
            return Map.of("type", "string", "enum", words);
        }
        @Nullable String word = word(plain);
        if (word == null) {
            return record(plain);
        }
        boolean mayLack = type.isAnnotationPresent(Nullable.class);
        return Map.of("type", mayLack ? List.of(word, "null") : word);
    }

    private static @Nullable String word(Type type) {
        if (type == String.class) {
            return "string";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        }
        if (List.of(int.class, Integer.class, long.class, Long.class).contains(type)) {
            return "integer";
        }
        return type == double.class || type == Double.class ? "number" : null;
    }
}
