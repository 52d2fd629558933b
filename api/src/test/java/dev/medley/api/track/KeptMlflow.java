package dev.medley.api.track;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;

/**
 * Keeps what an MLflow server is told, and fails as one does: away, refusing, slow to come. The
 * calls and their answers are those of MLflow 3.17, with which {@code RealMlflowTest} runs.
 */
final class KeptMlflow implements AutoCloseable {
    private final HttpServer server;
    private int status = 200;
    final List<String> points = new ArrayList<>();
    final List<Integer> batches = new ArrayList<>();
    final Map<String, String> params = new LinkedHashMap<>();
    final Map<String, byte[]> files = new LinkedHashMap<>();
    final List<String> states = new ArrayList<>();
    final List<String> authorizations = new ArrayList<>();
    int runs;
    int versions;

    KeptMlflow() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Answers so from now on; 200 is as usual. */
    synchronized void answerWith(int code) {
        status = code;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        authorizations.add(String.valueOf(given));
        if (status != 200) {
            send(exchange, status, Map.of("error_code", "SOME", "message", "not now"));
            return;
        }
        URI uri = exchange.getRequestURI();
        String path = uri.getPath().replaceFirst("^/api/2.0/", "");
        if (path.startsWith("mlflow-artifacts/artifacts/")) {
            files.put(path.substring("mlflow-artifacts/artifacts/".length()), body);
            send(exchange, 200, Map.of());
            return;
        }
        JsonNode json =
                body.length == 0
                        ? Json.tree(Map.of())
                        : Json.parse(new String(body, StandardCharsets.UTF_8), JsonNode.class);
        Object answer = answer(path.replaceFirst("^mlflow/", ""), json);
        send(exchange, answer == null ? 404 : 200, answer == null ? missing() : answer);
    }

    private static Map<String, String> missing() {
        return Map.of("error_code", "RESOURCE_DOES_NOT_EXIST", "message", "there is none");
    }

    private Object answer(String path, JsonNode json) {
        return switch (path) {
            case "experiments/search" -> Map.of();
            case "experiments/get-by-name" -> null;
            case "experiments/create" -> Map.of("experiment_id", "7");
            case "runs/create" -> {
                runs++;
                yield Map.of(
                        "run",
                        Map.of(
                                "info",
                                Map.of(
                                        "run_id",
                                        "r" + runs,
                                        "artifact_uri",
                                        "mlflow-artifacts:/7/r" + runs + "/artifacts")));
            }
            case "runs/log-batch" -> logged(json);
            case "runs/update" -> {
                states.add(json.path("status").asString());
                yield runs == 0 ? null : Map.of();
            }
            case "registered-models/create" -> Map.of();
            case "model-versions/create" -> {
                versions++;
                yield Map.of("model_version", Map.of("version", "" + versions));
            }
            default -> throw new IllegalStateException("nobody has asked for " + path);
        };
    }

    private Object logged(JsonNode json) {
        if (json.has("metrics")) {
            batches.add(json.path("metrics").size());
        }
        for (JsonNode metric : json.path("metrics")) {
            points.add(metric.path("key").asString() + "@" + metric.path("step").asLong());
        }
        for (JsonNode param : json.path("params")) {
            params.put(param.path("key").asString(), param.path("value").asString());
        }
        return Map.of();
    }

    private static void send(HttpExchange exchange, int code, Object answer) throws IOException {
        byte[] bytes = Json.bytes(answer);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
