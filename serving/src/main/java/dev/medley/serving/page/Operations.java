package dev.medley.serving.page;

import static dev.medley.serving.page.Schemas.object;
import static dev.medley.serving.page.Schemas.ref;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the parts of a path in OpenAPI: its parameters, bodies and answers. */
final class Operations {
    static final String JSON = "application/json";
    static final String LINES = "application/x-ndjson";
    static final String CSV = "text/csv";

    private Operations() {}

    static List<Object> parameters(boolean hasVersion) {
        List<Object> all = new ArrayList<>();
        for (String name : hasVersion ? List.of("model", "version") : List.of("model")) {
            all.add(
                    object(
                            "name",
                            name,
                            "in",
                            "path",
                            "required",
                            true,
                            "schema",
                            object("type", "string")));
        }
        return all;
    }

    static Map<String, Object> media(Map<String, Object> schema, @Nullable Object example) {
        return example == null
                ? object("schema", schema)
                : object("schema", schema, "example", example);
    }

    static Map<String, Object> body(
            String type, Map<String, Object> schema, @Nullable Object example) {
        return object("content", object(type, media(schema, example)));
    }

    static Map<String, Object> operation(
            String summary,
            @Nullable Map<String, Object> body,
            String type,
            Map<String, Object> answer) {
        return operation(summary, body, object(type, media(answer, null)));
    }

    static Map<String, Object> operation(
            String summary, @Nullable Map<String, Object> body, Map<String, Object> answers) {
        Map<String, Object> all = object("summary", summary);
        if (body != null) {
            all.put("requestBody", body);
        }
        Map<String, Object> wrong = object(JSON, media(ref("error"), null));
        all.put(
                "responses",
                object(
                        "200",
                        object("description", "The answer", "content", answers),
                        "default",
                        object("description", "What is wrong", "content", wrong)));
        return all;
    }
}
