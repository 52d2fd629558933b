package dev.medley.serving.page;

import static dev.medley.serving.page.Operations.CSV;
import static dev.medley.serving.page.Operations.JSON;
import static dev.medley.serving.page.Operations.LINES;
import static dev.medley.serving.page.Operations.body;
import static dev.medley.serving.page.Operations.media;
import static dev.medley.serving.page.Operations.operation;
import static dev.medley.serving.page.Operations.parameters;
import static dev.medley.serving.page.Schemas.object;
import static dev.medley.serving.page.Schemas.ref;

import dev.medley.base.Version;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.Encoding;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes what a server answers in OpenAPI 3.1: its own paths, and for each model that is ready the
 * paths that compute, with the columns and arrays that it takes.
 */
final class InterfaceDocument {
    private final Map<String, Object> paths = new LinkedHashMap<>();
    private final Map<String, Object> schemas = new LinkedHashMap<>();

    private InterfaceDocument() {}

    /** The document as it is now. */
    static Map<String, Object> of(ModelHost host) {
        InterfaceDocument document = new InterfaceDocument();
        document.common();
        document.server();
        document.anyModel();
        host.entries()
                .values()
                .forEach(
                        entry -> {
                            ServedModel model = entry.current();
                            if (model != null) {
                                document.model(model);
                            }
                        });
        return object(
                "openapi",
                "3.1.0",
                "info",
                object(
                        "title",
                        "Models served by Medley",
                        "version",
                        Version.build(),
                        "description",
                        "The Open Inference Protocol, version 2 and 1, with extensions; and rows as"
                                + " people write them."),
                "paths",
                document.paths,
                "components",
                object("schemas", document.schemas));
    }

    private void common() {
        Map<String, Object> text = object("type", "string");
        schemas.put(
                "error",
                object(
                        "type",
                        "object",
                        "required",
                        List.of("error"),
                        "properties",
                        object("error", text)));
        schemas.put(
                "request_output",
                object(
                        "type",
                        "object",
                        "required",
                        List.of("name"),
                        "properties",
                        object("name", text, "parameters", object("type", "object"))));
        Map<String, Object> shape = object("type", "array", "items", object("type", "integer"));
        schemas.put(
                "tensor",
                object(
                        "type",
                        "object",
                        "required",
                        List.of("name", "datatype", "shape"),
                        "properties",
                        object(
                                "name",
                                text,
                                "datatype",
                                text,
                                "shape",
                                shape,
                                "parameters",
                                object("type", "object"),
                                "data",
                                object("type", "array"))));
        schemas.put(
                "inference_response",
                object(
                        "type",
                        "object",
                        "required",
                        List.of("model_name", "outputs"),
                        "properties",
                        object(
                                "model_name",
                                text,
                                "model_version",
                                text,
                                "id",
                                text,
                                "outputs",
                                object("type", "array", "items", ref("tensor")))));
        schemas.put("rows", rows(object("type", "object")));
        schemas.put("generate_request", GenerateSchema.request());
        schemas.put("generate_response", GenerateSchema.response());
    }

    private static Map<String, Object> rows(Map<String, Object> row) {
        Map<String, Object> list = object("type", "array", "items", row);
        return object(
                "oneOf",
                List.of(
                        object(
                                "type",
                                "object",
                                "required",
                                List.of("rows"),
                                "properties",
                                object("rows", list)),
                        list,
                        row));
    }

    private void server() {
        get("/v2/health/live", "Whether the server lives", Map.of());
        get("/v2/health/ready", "Whether all models answer", Map.of());
        get("/v2", "What the server is", Map.of());
        get("/v2/models/stats", "Figures of all models", Map.of());
        get("/v1/models", "Names of the models", Map.of());
        get("/openapi.json", "This document", Map.of());
        paths.put(
                "/metrics",
                object("get", operation("Figures for Prometheus", null, "text/plain", Map.of())));
        post("/v2/repository/index", "All models, and whether they are ready", "model index");
        for (String deed : List.of("load", "unload")) {
            paths.put(
                    "/v2/repository/models/{model}/" + deed,
                    object(
                            "parameters",
                            parameters(false),
                            "post",
                            operation(
                                    "The model " + deed + "s",
                                    body(JSON, object("type", "object"), null),
                                    JSON,
                                    Map.of())));
        }
    }

    private void anyModel() {
        get("/v1/models/{model}", "Whether a model answers", Map.of());
        for (boolean isVersion : new boolean[] {false, true}) {
            String of = "/v2/models/{model}" + (isVersion ? "/versions/{version}" : "");
            get(of, "What a model takes and gives", Map.of());
            get(of + "/ready", "Whether it answers", Map.of());
            get(of + "/stats", "Its figures", Map.of());
            Map<String, Object> arrays = body(JSON, object("type", "object"), null);
            compute(
                    of + "/infer",
                    "Arrays in, arrays out",
                    arrays,
                    JSON,
                    ref("inference_response"));
            Map<String, Object> text = body(JSON, ref("generate_request"), null);
            compute(of + "/generate", "Go on with a text", text, JSON, ref("generate_response"));
            compute(
                    of + "/generate_stream",
                    "The same, piece by piece",
                    text,
                    "text/event-stream",
                    object("type", "string"));
        }
        rowsPath("/v1/models/{model}:rows", "Rows in, answers out", body(JSON, ref("rows"), null));
        compute(
                "/v1/models/{model}:predict",
                "Version 1: instances in, predictions out",
                body(JSON, object("type", "object", "required", List.of("instances")), null),
                JSON,
                object("type", "object", "required", List.of("predictions")));
    }

    private void model(ServedModel model) {
        String name = model.name().name();
        Encoding encoding = model.model().encoding();
        String v2 = "/v2/models/" + name;
        Map<String, Object> arrays = Schemas.exampleInfer(model);
        compute(
                v2 + "/infer",
                "Arrays for " + name,
                body(JSON, Schemas.infer(model), arrays.isEmpty() ? null : arrays),
                JSON,
                ref("inference_response"));
        if (model.description().signature().target().kind() == TargetKind.TOKENS) {
            Map<String, Object> asked = GenerateSchema.example();
            Map<String, Object> text = body(JSON, ref("generate_request"), asked);
            compute(
                    v2 + "/generate",
                    name + " goes on with a text",
                    text,
                    JSON,
                    ref("generate_response"));
            compute(
                    v2 + "/generate_stream",
                    "The same, piece by piece",
                    text,
                    "text/event-stream",
                    object("type", "string"));
            return;
        }
        String together = GivenRows.csv(encoding);
        Map<String, Object> row = Schemas.exampleRow(encoding);
        if (RowColumn.of(encoding).isEmpty() && GivenRows.columns(encoding).isEmpty()) {
            return;
        }
        String schema = "row of " + name;
        String key = schema.replaceAll("[^A-Za-z0-9._-]", "_");
        schemas.put(key, Schemas.row(encoding));
        Map<String, Object> content = new LinkedHashMap<>();
        boolean areSingle = GivenRows.columns(encoding).isEmpty();
        content.put(JSON, media(rows(ref(key)), areSingle ? row : null));
        content.put(LINES, media(object("type", "string"), null));
        content.put(CSV, media(object("type", "string"), together.isEmpty() ? null : together));
        Map<String, Object> body = object("required", true, "content", content);
        rowsPath("/v1/models/" + name + ":rows", "Rows for " + name, body);
    }

    private void get(String path, String summary, Map<String, Object> answer) {
        Map<String, Object> item = new LinkedHashMap<>();
        if (path.contains("{")) {
            item.put("parameters", parameters(path.contains("{version}")));
        }
        item.put("get", operation(summary, null, JSON, answer));
        paths.put(path, item);
    }

    private void post(String path, String summary, String what) {
        Map<String, Object> body = body(JSON, object("type", "object", "description", what), null);
        paths.put(path, object("post", operation(summary, body, JSON, Map.of())));
    }

    private void compute(
            String path,
            String summary,
            Map<String, Object> body,
            String type,
            Map<String, Object> answer) {
        Map<String, Object> item = new LinkedHashMap<>();
        if (path.contains("{")) {
            item.put("parameters", parameters(path.contains("{version}")));
        }
        item.put("post", operation(summary, body, type, answer));
        paths.put(path, item);
    }

    /** The answer is of the body's kind. */
    private void rowsPath(String path, String summary, Map<String, Object> body) {
        Map<String, Object> item = new LinkedHashMap<>();
        if (path.contains("{")) {
            item.put("parameters", parameters(false));
        }
        Map<String, Object> text = media(object("type", "string"), null);
        Map<String, Object> rows =
                object(
                        "type",
                        "object",
                        "required",
                        List.of("rows"),
                        "properties",
                        object("rows", object("type", "array")));
        Map<String, Object> answers = object(JSON, media(rows, null), LINES, text, CSV, text);
        item.put("post", operation(summary, body, answers));
        paths.put(path, item);
    }
}
