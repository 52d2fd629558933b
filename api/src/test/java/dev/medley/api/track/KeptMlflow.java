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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;

/**
 * Keeps what an MLflow server is told, and fails as one does: away, refusing, slow to come. The
 * calls and their answers are those of MLflow 3.17, with which {@code RealMlflowTest} runs.
 */
public final class KeptMlflow implements AutoCloseable {
    private final HttpServer server;
    private int status = 200;
    public final List<String> points = new ArrayList<>();
    final List<Integer> batches = new ArrayList<>();
    final Map<String, String> params = new LinkedHashMap<>();
    public final Map<String, byte[]> files = new LinkedHashMap<>();
    public final List<String> states = new ArrayList<>();
    final List<String> authorizations = new ArrayList<>();
    public final List<String> asked = new ArrayList<>();
    public int runs;
    public int versions;
    private final Map<String, String> tags = new LinkedHashMap<>();

    /** Ids by name: 7, 8, ... */
    public final Map<String, String> experiments = new LinkedHashMap<>();

    /** The experiment of each run. */
    public final Map<String, String> placed = new LinkedHashMap<>();

    private final Map<String, Long> last = new LinkedHashMap<>();
    private final List<String> gone = new ArrayList<>();
    private final Map<String, Runnable> told = new ConcurrentHashMap<>();
    private volatile CountDownLatch halved;
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();

    /** Listens on a port of its own. */
    public KeptMlflow() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    /** Its address. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Answers so from now on; 200 is as usual. */
    synchronized void answerWith(int code) {
        status = code;
    }

    /**
     * Does what the next call with that in its path asks, and answers it only once the latch is
     * down: its caller has given up long before.
     */
    public void holdNext(String path, CountDownLatch until) {
        held.put(path, until);
    }

    /** From now on answers with the first half of an answer, until the latch is down. */
    void beginOnly(CountDownLatch until) {
        halved = until;
    }

    /** Does that as soon as such a call has come, and before it is answered. */
    public void whenAsked(String path, Runnable done) {
        told.put(path, done);
    }

    /** One more run of the same key as that one, which nobody has told anything. */
    synchronized void comesLate(String run) {
        runs++;
        tags.put("r" + runs, tags.getOrDefault(run, ""));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        CountDownLatch until =
                held.keySet().stream()
                        .filter(path::contains)
                        .findFirst()
                        .map(held::remove)
                        .orElse(null);
        Reply reply = reply(exchange);
        told.forEach((part, done) -> run(path.contains(part), done));
        try {
            CountDownLatch half = halved;
            if (half != null) {
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
                half.await();
                exchange.close();
                return;
            }
            if (until != null) {
                until.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        send(exchange, reply.code(), reply.answer());
    }

    private static void run(boolean isMeant, Runnable done) {
        if (isMeant) {
            done.run();
        }
    }

    private record Reply(int code, Object answer) {}

    private synchronized Reply reply(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        authorizations.add(String.valueOf(given));
        if (status != 200) {
            return new Reply(status, Map.of("error_code", "SOME", "message", "not now"));
        }
        URI uri = exchange.getRequestURI();
        String path = uri.getPath().replaceFirst("^/api/2.0/", "");
        asked.add(path);
        if (path.startsWith("mlflow-artifacts/artifacts/")) {
            files.put(path.substring("mlflow-artifacts/artifacts/".length()), body);
            return new Reply(200, Map.of());
        }
        String query = uri.getQuery();
        JsonNode json =
                body.length == 0
                        ? Json.tree(query == null ? Map.of() : Map.of("query", query))
                        : Json.parse(new String(body, StandardCharsets.UTF_8), JsonNode.class);
        Object answer = answer(path.replaceFirst("^mlflow/", ""), json);
        return new Reply(answer == null ? 404 : 200, answer == null ? missing() : answer);
    }

    private static Map<String, String> missing() {
        return Map.of("error_code", "RESOURCE_DOES_NOT_EXIST", "message", "there is none");
    }

    private Object answer(String path, JsonNode json) {
        return switch (path) {
            case "experiments/search" -> Map.of();
            case "experiments/get-by-name" -> {
                String id = experiments.get(json.path("query").asString().split("=", 2)[1]);
                yield id == null ? null : Map.of("experiment", Map.of("experiment_id", id));
            }
            case "experiments/create" -> {
                String id = "" + (7 + experiments.size());
                experiments.put(json.path("name").asString(), id);
                yield Map.of("experiment_id", id);
            }
            case "runs/create" -> {
                runs++;
                placed.put("r" + runs, json.path("experiment_id").asString());
                tags.put("r" + runs, key(json));
                yield Map.of("run", run("r" + runs));
            }
            case "runs/search" ->
                    Map.of(
                            "runs",
                            found(
                                    json.path("filter").asString(),
                                    json.path("experiment_ids").path(0).asString()));
            case "runs/get" -> Map.of("run", run(json.path("query").asString().split("=", 2)[1]));
            case "runs/delete" -> {
                gone.add(json.path("run_id").asString());
                yield Map.of();
            }
            case "model-versions/search" ->
                    versions == 0
                            ? Map.of()
                            : Map.of(
                                    "model_versions",
                                    List.of(Map.of("name", "small", "version", "1")));
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

    private static String key(JsonNode json) {
        return json.path("tags")
                .valueStream()
                .filter(tag -> tag.path("key").asString().equals("medley.key"))
                .map(tag -> tag.path("value").asString())
                .findFirst()
                .orElseThrow();
    }

    private String experiment(String run) {
        return placed.getOrDefault(run, "7");
    }

    private List<Object> found(String filter, String experiment) {
        return tags.entrySet().stream()
                .filter(each -> experiment(each.getKey()).equals(experiment))
                .filter(each -> filter.equals("tags.\"medley.key\" = '" + each.getValue() + "'"))
                .filter(each -> !gone.contains(each.getKey()))
                .map(each -> run(each.getKey()))
                .toList();
    }

    /** The runs that were not deleted. */
    public synchronized List<String> left() {
        return tags.keySet().stream().filter(run -> !gone.contains(run)).toList();
    }

    private Object run(String id) {
        List<Object> metrics = new ArrayList<>();
        last.forEach((key, step) -> metrics.add(Map.of("key", key, "step", step)));
        boolean hasSome = id.equals("r1") && !metrics.isEmpty();
        return Map.of(
                "info",
                Map.of(
                        "run_id",
                        id,
                        "artifact_uri",
                        "mlflow-artifacts:/" + experiment(id) + "/" + id + "/artifacts"),
                "data",
                hasSome ? Map.of("metrics", metrics) : Map.of());
    }

    private Object logged(JsonNode json) {
        if (json.has("metrics")) {
            batches.add(json.path("metrics").size());
        }
        for (JsonNode metric : json.path("metrics")) {
            last.merge(metric.path("key").asString(), metric.path("step").asLong(), Math::max);
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
