package dev.medley.hub.http;

import dev.medley.base.Version;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes routes as an OpenAPI 3.1 document, from the very table that is served. */
final class OpenApi {
    private final Map<String, Object> schemas = new TreeMap<>();

    private OpenApi() {}

    static Map<String, Object> of(List<HubRoute> routes) {
        OpenApi api = new OpenApi();
        Map<String, Object> paths = new TreeMap<>();
        for (HubRoute route : routes) {
            Map<String, Object> path = new TreeMap<>();
            if (paths.get(route.path()) instanceof Map<?, ?> known) {
                known.forEach((key, value) -> path.put(String.valueOf(key), value));
            }
            path.put(route.method().toLowerCase(Locale.ROOT), api.operation(route));
            paths.put(route.path(), path);
        }
        return Map.of(
                "openapi",
                "3.1.0",
                "info",
                Map.of("title", "Medley hub", "version", Version.build()),
                "security",
                List.of(Map.of("token", List.of())),
                "paths",
                paths,
                "components",
                Map.of(
                        "schemas",
                        api.schemas,
                        "securitySchemes",
                        Map.of("token", Map.of("type", "http", "scheme", "bearer"))));
    }

    private Map<String, Object> operation(HubRoute route) {
        Map<String, Object> operation = new TreeMap<>();
        operation.put("summary", route.summary());
        operation.put("description", "Needs a token of role " + route.role() + ".");
        if (route.path().contains("{id}")) {
            operation.put(
                    "parameters",
                    List.of(
                            Map.of(
                                    "name",
                                    "id",
                                    "in",
                                    "path",
                                    "required",
                                    true,
                                    "schema",
                                    Map.of("type", "integer"))));
        }
        if (route.body() != null) {
            operation.put(
                    "requestBody", Map.of("required", true, "content", content(route.body())));
        }
        operation.put(
                "responses",
                Map.of(
                        "200",
                        Map.of("description", "Done.", "content", content(route.answer())),
                        "default",
                        Map.of(
                                "description",
                                "Refused, with a sentence why.",
                                "content",
                                Map.of(
                                        "application/json",
                                        Map.of(
                                                "schema",
                                                Map.of(
                                                        "type",
                                                        "object",
                                                        "properties",
                                                        Map.of(
                                                                "error",
                                                                Map.of("type", "string"))))))));
        return operation;
    }

    private Map<String, Object> content(Class<?> type) {
        return Map.of("application/json", Map.of("schema", schema(type, null)));
    }

    private Map<String, Object> schema(Class<?> type, @Nullable Type generic) {
        if (type.isArray()) {
            return Map.of("type", "array", "items", schema(type.getComponentType(), null));
        }
        if (type == List.class && generic instanceof ParameterizedType list) {
            Class<?> item = (Class<?>) list.getActualTypeArguments()[0];
            return Map.of("type", "array", "items", schema(item, null));
        }
        if (type.isEnum()) {
            return Map.of(
                    "type",
                    "string",
                    "enum",
                    Arrays.stream(type.getEnumConstants()).map(String::valueOf).toList());
        }
        if (type.isRecord()) {
            String name = type.getSimpleName();
            if (!schemas.containsKey(name)) {
                schemas.put(name, Map.of());
                schemas.put(name, object(type));
            }
            return Map.of("$ref", "#/components/schemas/" + name);
        }
        if (type == double.class) {
            return Map.of("type", "number");
        }
        if (type == String.class) {
            return Map.of("type", "string");
        }
        if (type == boolean.class || type == Boolean.class) {
            return Map.of("type", "boolean");
        }
        boolean isWhole = type == long.class || type == Long.class || type == int.class;
        if (type == Double.class) {
            return Map.of("type", List.of("number", "null"));
        }
        return Map.of("type", isWhole ? "integer" : "number");
    }

    private Map<String, Object> object(Class<?> type) {
        Map<String, Object> properties = new TreeMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            properties.put(
                    component.getName(), schema(component.getType(), component.getGenericType()));
        }
        return Map.of("type", "object", "properties", properties);
    }
}
