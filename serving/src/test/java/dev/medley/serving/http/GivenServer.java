package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.host.MemoryBudget;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Serves a model on loopback, as {@code m}, and asks for it. */
public final class GivenServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ModelHost host;
    private final ModelServer server;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    /** What came back. */
    public record Answer(int status, String body, String type) {
        public JsonNode json() {
            return Json.parse(body, JsonNode.class);
        }
    }

    private GivenServer(ModelHost host, ModelServer server) {
        this.host = host;
        this.server = server;
    }

    public static GivenServer of(Path model, @Nullable String engine) {
        return of(model, new ServeLimits(BatchLimits.USUAL, engine, 1, 1), ServerLimits.usual());
    }

    public static GivenServer of(Path model, ServeLimits limits, ServerLimits callers) {
        return of(model, limits, MemoryBudget.measured(), callers);
    }

    static GivenServer of(
            Path model, ServeLimits limits, MemoryBudget memory, ServerLimits callers) {
        ModelHost host = new ModelHost(limits, memory, Clock.system());
        host.load(new ModelName("m", "1"), model);
        ServeSocket any = ServeSocket.onLoopback(0);
        return new GivenServer(host, ModelServer.open(host, any, callers, Clock.system()));
    }

    /** With more that is done beside the answers. */
    static GivenServer observed(Path model, ServeObservers observers) {
        ModelHost host = new ModelHost(ServeLimits.usual(), Clock.system());
        host.load(new ModelName("m", "1"), model);
        return new GivenServer(
                host,
                ModelServer.open(
                        host,
                        ServeSocket.onLoopback(0),
                        ServeCallers.ALL,
                        observers,
                        ServerLimits.usual(),
                        null,
                        Clock.system()));
    }

    public ModelHost host() {
        return host;
    }

    public int port() {
        return server.address().getPort();
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    public Answer get(String path) throws Exception {
        return send(HttpRequest.newBuilder(at(path)).GET());
    }

    public Answer post(String path, String body, String type) throws Exception {
        return send(
                HttpRequest.newBuilder(at(path))
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString(body)));
    }

    public Answer post(String path, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at(path)).POST(BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    Answer send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer =
                client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
        return new Answer(
                answer.statusCode(),
                answer.body(),
                answer.headers().firstValue("content-type").orElse(""));
    }

    HttpResponse<byte[]> bytes(HttpRequest.Builder request) throws Exception {
        return client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofByteArray());
    }

    /** The outputs for arrays [rows, 1] of doubles or texts. */
    JsonNode infer(Map<String, Object> arrays) throws Exception {
        Answer answer = post("/v2/models/m/infer", request(arrays), "application/json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().path("outputs");
    }

    /** A request of version 2 with these arrays. */
    public static String request(Map<String, Object> arrays) {
        List<Map<String, Object>> inputs = new ArrayList<>();
        arrays.forEach(
                (name, array) -> {
                    Map<String, Object> input = new LinkedHashMap<>();
                    input.put("name", name);
                    boolean areTexts = array instanceof String[][];
                    input.put("datatype", areTexts ? "BYTES" : "FP64");
                    input.put("shape", List.of(((Object[]) array).length, 1));
                    List<Object> data = new ArrayList<>();
                    if (array instanceof double[][] numbers) {
                        for (double[] row : numbers) {
                            data.add(Double.isNaN(row[0]) ? null : row[0]);
                        }
                    } else {
                        for (String[] row : (String[][]) array) {
                            data.add(row[0]);
                        }
                    }
                    input.put("data", data);
                    inputs.add(input);
                });
        return Json.line(Map.of("inputs", inputs));
    }

    @Override
    public void close() {
        server.close();
        host.close();
    }
}
