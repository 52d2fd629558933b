package dev.medley.api.track;

import dev.medley.base.Json;
import dev.medley.base.Version;
import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Calls one MLflow server by its REST API. Every call is bounded in time.
 *
 * <p>An {@link IOException} means that it may be tried again, but for {@link Refused}.
 */
final class MlflowServer {
    /** What the server will not do, however often it is asked. */
    static final class Refused extends IOException {
        @Serial private static final long serialVersionUID = 1L;
        private final String code;

        Refused(String code, String message) {
            super(message);
            this.code = code;
        }

        /** MLflow's error code, {@code RESOURCE_DOES_NOT_EXIST}; empty where it gave none. */
        String code() {
            return code;
        }
    }

    private final URI root;
    private final @Nullable String authorization;
    private final BoundedCalls calls;

    /**
     * The server at an address.
     *
     * @param root without a slash at its end
     * @param environment a variable's value, null if it is not set; MLFLOW_TRACKING_USERNAME and
     *     MLFLOW_TRACKING_PASSWORD, else MLFLOW_TRACKING_TOKEN, are the credentials
     * @param calls by which it is asked
     */
    MlflowServer(URI root, UnaryOperator<@Nullable String> environment, BoundedCalls calls) {
        this.root = root;
        this.calls = calls;
        this.authorization = authorization(environment);
    }

    private static @Nullable String authorization(UnaryOperator<@Nullable String> environment) {
        String user = environment.apply("MLFLOW_TRACKING_USERNAME");
        String password = environment.apply("MLFLOW_TRACKING_PASSWORD");
        String token = environment.apply("MLFLOW_TRACKING_TOKEN");
        if (user != null && password != null) {
            byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
            return "Basic " + Base64.getEncoder().encodeToString(pair);
        }
        return token == null || token.isBlank() ? null : "Bearer " + token.strip();
    }

    /** A question. */
    JsonNode get(String path, Map<String, String> query) throws IOException {
        String words =
                query.entrySet().stream()
                        .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
        return read(calls.send(request("/api/2.0/mlflow/" + path + words).GET()));
    }

    /** An order. */
    JsonNode post(String path, Object body) throws IOException {
        return read(
                calls.send(
                        request("/api/2.0/mlflow/" + path)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofByteArray(Json.bytes(body)))));
    }

    /** A file under a path of the server's own artifacts. */
    void put(String path, Path file) throws IOException {
        JsonNode unused = read(calls.put(artifact(path), file));
    }

    /** A text under a path of the server's own artifacts. */
    void put(String path, String text) throws IOException {
        JsonNode unused = read(calls.send(artifact(path).PUT(BodyPublishers.ofString(text))));
    }

    private HttpRequest.Builder artifact(String path) {
        String names =
                Arrays.stream(path.split("/"))
                        .map(MlflowServer::encoded)
                        .collect(Collectors.joining("/"));
        return request("/api/2.0/mlflow-artifacts/artifacts/" + names)
                .header("Content-Type", "application/octet-stream");
    }

    private static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(root + path))
                        .header("User-Agent", "medley/" + Version.build());
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return request;
    }

    private static JsonNode read(HttpResponse<byte[]> answer) throws IOException {
        int status = answer.statusCode();
        JsonNode json;
        try {
            json = Json.parse(answer.body(), JsonNode.class);
        } catch (JacksonException e) {
            json = Json.tree(Map.of());
        }
        if (status == 200) {
            return json;
        }
        String code = json.path("error_code").asString("");
        String said = json.path("message").asString("");
        if (status == 429 || status >= 500) {
            throw new IOException("status %d %s".formatted(status, said).strip());
        }
        String why =
                switch (status) {
                    case 401 ->
                            "credentials are missing or wrong (status 401): set"
                                    + " MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and"
                                    + " MLFLOW_TRACKING_PASSWORD";
                    case 403 -> "not allowed (status 403)" + (said.isEmpty() ? "" : ": " + said);
                    default ->
                            code.isEmpty()
                                    ? "what answers there is no MLflow server (status %d)"
                                            .formatted(status)
                                    : said;
                };
        throw new Refused(code, why);
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
