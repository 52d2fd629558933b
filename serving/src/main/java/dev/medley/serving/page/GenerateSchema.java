package dev.medley.serving.page;

import static dev.medley.serving.page.Schemas.object;

import dev.medley.inference.model.GenerateOptions;
import java.util.List;
import java.util.Map;

/** Holds the schemas of the generate extension. */
final class GenerateSchema {
    private static final int SOME_TOKENS = 60;

    private GenerateSchema() {}

    static Map<String, Object> request() {
        GenerateOptions usual = GenerateOptions.defaults();
        Map<String, Object> parameters =
                object(
                        "max_tokens",
                        object("type", "integer", "minimum", 1, "default", usual.tokens()),
                        "temperature",
                        object("type", "number", "minimum", 0, "default", usual.temperature()),
                        "top_k",
                        object("type", "integer", "minimum", 0, "default", usual.topK()),
                        "top_p",
                        object("type", "number", "maximum", 1, "default", usual.topP()),
                        "seed",
                        object("type", "integer", "default", usual.seed()),
                        "stop",
                        object("type", List.of("array", "string", "null")));
        return object(
                "type",
                "object",
                "required",
                List.of("text_input"),
                "properties",
                object(
                        "id",
                        object("type", "string"),
                        "text_input",
                        object("type", "string"),
                        "parameters",
                        object("type", "object", "properties", parameters)));
    }

    static Map<String, Object> response() {
        Map<String, Object> text = object("type", "string");
        return object(
                "type",
                "object",
                "required",
                List.of("model_name", "text_output"),
                "properties",
                object(
                        "id",
                        text,
                        "model_name",
                        text,
                        "model_version",
                        text,
                        "text_output",
                        text,
                        "finish_reason",
                        object("enum", List.of("length", "stop_sequence"))));
    }

    static Map<String, Object> example() {
        return object(
                "text_input",
                "To be",
                "parameters",
                object("max_tokens", SOME_TOKENS, "temperature", 0.8, "seed", 1));
    }
}
