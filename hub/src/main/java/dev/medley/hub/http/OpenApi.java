package dev.medley.hub.http;

import dev.medley.base.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the interface's document from the table of routes and the records that they take and give.
 * So it cannot say anything else. The form is OpenAPI 3.1.0 (spec.openapis.org/oas/v3.1.0).
 */
final class OpenApi {
    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");
    private static final Map<String, Object> ERROR =
            Map.of(
                    "description",
                    "One sentence that says what is wrong: 400 the request, 401 no token, 403 a"
                        + " token without the right, 404 not there, 409 not now, 413 too large, 503"
                        + " not in time",
                    "content",
                    json(RecordSchemas.reference(Errors.Failure.class)));

    private final RecordSchemas schemas = new RecordSchemas();

    private OpenApi() {}

    /** The document, for JSON. */
    static Map<String, Object> of(List<Endpoint> routes) {
        return new OpenApi().document(routes);
    }

    private Map<String, Object> document(List<Endpoint> routes) {
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        for (Endpoint each : routes) {
            paths.computeIfAbsent(each.path(), path -> new TreeMap<>())
                    .put(each.method().name().toLowerCase(Locale.ROOT), operation(each));
        }
        schemas.schema(Errors.Failure.class);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put(
                "info",
                Map.of(
                        "title",
                        "Medley hub",
                        "version",
                        Version.number(),
                        "description",
                        "Jobs, machines and figures of a fleet. Moments are seconds since"
                                + " 1970-01-01 UTC."));
        document.put("servers", List.of(Map.of("url", "/")));
        document.put("paths", paths);
        document.put(
                "components",
                Map.of(
                        "schemas",
                        schemas.all(),
                        "securitySchemes",
                        Map.of("token", Map.of("type", "http", "scheme", "bearer"))));
        return document;
    }

    private Map<String, Object> operation(Endpoint route) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", route.words().name());
        operation.put("summary", route.words().summary());
        Right right = route.right();
        operation.put(
                "description",
                right == null
                        ? "Anybody may ask."
                        : "For tokens of role %s."
                                .formatted(String.join(", ", Role.having(right))));
        operation.put("security", right == null ? List.of() : List.of(Map.of("token", List.of())));
        operation.put("parameters", parameters(route));
        Object defaults = route.shape().defaults();
        if (defaults != null) {
            operation.put(
                    "requestBody",
                    Map.of(
                            "required",
                            true,
                            "content",
                            json(schemas.body(route.words().name(), defaults))));
        }
        operation.put(
                "responses",
                Map.of(
                        "200",
                        Map.of(
                                "description",
                                "As asked",
                                "content",
                                json(schemas.schema(route.shape().answer()))),
                        "default",
                        ERROR));
        return operation;
    }

    private static List<Map<String, Object>> parameters(Endpoint route) {
        List<Map<String, Object>> all = new ArrayList<>();
        Matcher places = PLACE.matcher(route.path());
        while (places.find()) {
            String name = places.group(1);
            all.add(
                    Map.of(
                            "name",
                            name,
                            "in",
                            "path",
                            "required",
                            true,
                            "schema",
                            Map.of("type", name.equals("id") ? "integer" : "string")));
        }
        for (String name : route.shape().query()) {
            all.add(Map.of("name", name, "in", "query", "schema", Map.of("type", "number")));
        }
        return all;
    }

    private static Map<String, Object> json(Object schema) {
        return Map.of("application/json", Map.of("schema", schema));
    }
}
