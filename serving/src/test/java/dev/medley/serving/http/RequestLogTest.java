package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.protocol.UnaryGrpcClient;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.explain.ExplainLimits;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.log.LogOptions;
import dev.medley.serving.log.Masks;
import dev.medley.serving.log.RequestLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Requests are written as they were, but for what is masked, and none waits for it. */
@Tag("real")
class RequestLogTest {
    private static final String CANARY = "canary7134";
    private static final String ROWS = "/v1/models/m:rows";

    @TempDir private static Path models;
    @TempDir private Path folder;
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @BeforeAll
    static void train() throws Exception {
        GivenTable.in(models, "income", new ModelSpec.Linear()).trained(null).close();
    }

    private RequestLog log(LogOptions options, String... masked) {
        return RequestLog.open(options, new Masks(Set.of(masked)), Clock.system(), told::add);
    }

    private static GivenServer serve(RequestLog log) {
        return GivenServer.observed(
                models.resolve("model"), new ServeObservers(ExplainLimits.USUAL, log, null));
    }

    private static String row(String town) {
        return "{\"age\":30,\"size\":5000,\"member\":true,\"since\":\"2001-02-03\",\"colour\":\"red\","
                   + "\"town\":\""
                + town
                + "\",\"id\":\"k1\"}";
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static List<JsonNode> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(l -> Json.parse(l, JsonNode.class)).toList();
    }

    @Test
    void shouldWriteRowsAndAnswers() throws Exception {
        Path file = folder.resolve("log.jsonl");
        try (RequestLog log = log(LogOptions.to(file, 1))) {
            try (GivenServer server = serve(log)) {
                HttpRequest.Builder two =
                        HttpRequest.newBuilder(server.at(ROWS))
                                .header("X-Request-Id", "r-1")
                                .POST(
                                        BodyPublishers.ofString(
                                                "[" + row("town 1") + "," + row("town 2") + "]"));
                assertThat(server.send(two).status()).isEqualTo(200);
                assertThat(server.post(ROWS, "[1,2]", "application/json").status()).isEqualTo(400);
                assertThat(file).doesNotExist();
            }
        }
        List<JsonNode> lines = lines(file);
        assertThat(lines).hasSize(3);
        JsonNode second = lines.get(1);
        assertThat(second.path("id").asString()).isEqualTo("r-1");
        assertThat(second.path("row").asInt()).isEqualTo(1);
        assertThat(second.path("caller").asString()).isEqualTo("127.0.0.1");
        assertThat(second.path("model").asString()).isEqualTo("m");
        assertThat(second.path("version").asString()).isEqualTo("1");
        assertThat(second.path("inputs").path("town").asString()).isEqualTo("town 2");
        assertThat(second.path("inputs").path("age").asDouble()).isEqualTo(30);
        assertThat(second.path("inputs").path("id").asString()).isEqualTo("k1");
        assertThat(second.path("outputs").path("prediction").asString()).isIn("high", "low");
        assertThat(second.path("outputs").path("p(high)").isNumber()).isTrue();
        assertThat(second.path("latency_ms").asDouble()).isPositive();
        assertThat(second.path("status").asInt()).isEqualTo(200);
        assertThat(lines.get(2).path("status").asInt()).isEqualTo(400);
        assertThat(lines.get(2).path("error").asString()).contains("row 0 is a single value");
        assertThat(files(folder)).containsExactly(file);
    }

    @Test
    void shouldWriteExplanationsAndWhatTheGateRefuses() throws Exception {
        Path file = folder.resolve("log.jsonl");
        Path tokens = Files.writeString(folder.resolve("tokens"), "ada 0123456789abcdef0123\n");
        ServeCallers callers = new ServeCallers(CallerTokens.read(tokens), 0.001);
        try (RequestLog log = log(LogOptions.to(file, 1), "town");
                ModelHost host = new ModelHost(ServeLimits.usual(), Clock.system())) {
            host.load(new ModelName("m", "1"), models.resolve("model"));
            ServeObservers observers = new ServeObservers(ExplainLimits.USUAL, log, null);
            try (ModelServer server =
                    ModelServer.open(
                            host,
                            ServeSocket.onLoopback(0),
                            callers,
                            observers,
                            ServerLimits.usual(),
                            null,
                            Clock.system())) {
                String root = "http://127.0.0.1:" + server.address().getPort();
                ask(root + "/v1/models/m:rows", "");
                ask(root + "/v1/models/m:explain", "Bearer 0123456789abcdef0123");
                ask(root + "/v1/models/m:rows", "Bearer 0123456789abcdef0123");
                ask(root + "/v2/health/ready", "");
            }
        }
        List<JsonNode> lines = lines(file);
        assertThat(lines).extracting(l -> l.path("status").asInt()).containsExactly(401, 200, 429);
        assertThat(lines.get(0).path("model").asString()).isEqualTo("m");
        assertThat(lines.get(0).path("error").asString()).contains("needs a token");
        assertThat(lines.get(0).path("inputs").isEmpty()).isTrue();
        assertThat(lines.get(2).path("caller").asString()).isEqualTo("ada");
        JsonNode explained = lines.get(1);
        assertThat(explained.path("inputs").path("age").asDouble()).isEqualTo(30);
        assertThat(explained.path("inputs").path("town").asString()).isEqualTo("***");
        JsonNode contributions = explained.path("outputs").path("contributions");
        assertThat(contributions.path("age").isNumber()).isTrue();
        assertThat(contributions.path("town").asString()).isEqualTo("***");
    }

    private static void ask(String address, String authorization) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(row("town 1")));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        HttpResponse<Void> unused =
                HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding());
    }

    @Test
    void aModelThatIsNotThereShouldBeWrittenToo() throws Exception {
        Path file = folder.resolve("log.jsonl");
        try (RequestLog log = log(LogOptions.to(file, 1));
                GivenServer server = serve(log)) {
            server.post("/v1/models/none:rows", row("town 1"), "application/json");
            server.post("/v1/models/none:explain", row("town 1"), "application/json");
            server.get("/v2/models/none");
        }
        assertThat(lines(file))
                .hasSize(2)
                .allMatch(line -> line.path("status").asInt() == 404)
                .allMatch(line -> line.path("model").asString().equals("none"));
    }

    @Test
    void shouldWriteArraysByRow() throws Exception {
        Path file = folder.resolve("log.jsonl");
        Map<String, Object> arrays = new LinkedHashMap<>();
        arrays.put("age", new double[][] {{30}, {Double.NaN}});
        arrays.put("size", new double[][] {{5}, {6}});
        arrays.put("member", new double[][] {{1}, {0}});
        arrays.put("since", new double[][] {{0}, {1}});
        arrays.put("colour", new String[][] {{"red"}, {"blue"}});
        arrays.put("town", new String[][] {{"town 1"}, {"town 2"}});
        String id;
        try (RequestLog log = log(LogOptions.to(file, 1), "colour");
                GivenServer server = serve(log)) {
            HttpResponse<byte[]> answer =
                    server.bytes(
                            HttpRequest.newBuilder(server.at("/v2/models/m/infer"))
                                    .POST(BodyPublishers.ofString(GivenServer.request(arrays))));
            id = answer.headers().firstValue("x-request-id").orElseThrow();
        }
        List<JsonNode> lines = lines(file);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1).path("id").asString()).isEqualTo(id);
        JsonNode inputs = lines.get(1).path("inputs");
        assertThat(inputs.path("age").isNull()).isTrue();
        assertThat(inputs.path("size").asDouble()).isEqualTo(6);
        assertThat(inputs.path("town").asString()).isEqualTo("town 2");
        assertThat(inputs.path("colour").asString()).isEqualTo("***");
    }

    /** Requests of all kinds, most of which fail at a value that is masked. */
    private static void askOfEveryKind(GivenServer server) throws Exception {
        String bad = row("town 1").replace("30", "\"" + CANARY + "\"");
        for (String body : List.of(row(CANARY), bad, "{\"age\": " + CANARY + "}")) {
            server.post(ROWS, body, "application/json");
            server.post("/v1/models/m:explain", body, "application/json");
            server.post(
                    "/v1/models/m:predict", "{\"instances\":[" + body + "]}", "application/json");
        }
        server.post(ROWS, "age,town\n" + CANARY + "," + CANARY + "\n", "text/csv");
        for (String type : List.of("BYTES", "FP64", "INT64")) {
            String input =
                    "{\"inputs\":[{\"name\":\"age\",\"datatype\":\"%s\",\"shape\":[1],\"data\":[\"%s\"]}]}";
            server.post("/v2/models/m/infer", input.formatted(type, CANARY), "application/json");
        }
        WebClient client = WebClient.of("h2c://127.0.0.1:" + server.port());
        byte[] broken = CANARY.getBytes(StandardCharsets.UTF_8);
        new UnaryGrpcClient(client)
                .execute("/inference.GRPCInferenceService/ModelInfer", broken)
                .exceptionally(e -> new byte[0])
                .join();
    }

    @Test
    void shouldWriteNothingThatIsMasked() throws Exception {
        StringBuilder answers = new StringBuilder();
        for (LogOptions.Format format : LogOptions.Format.values()) {
            Path to = Files.createDirectories(folder.resolve(format.name()));
            try (RequestLog log = log(LogOptions.to(to, 1).in(format), "AGE", "town")) {
                try (GivenServer server = serve(log)) {
                    askOfEveryKind(server);
                    String bad = row("town 1").replace("30", "\"" + CANARY + "\"");
                    GivenServer.Answer refused = server.post(ROWS, bad, "application/json");
                    assertThat(refused.status()).isEqualTo(400);
                    assertThat(refused.body())
                            .isEqualTo(
                                    "{\"error\":\"row 0, column 'age': the value does not fit; it"
                                            + " is masked\"}");
                    answers.append(server.post(ROWS, "{\"age\":" + CANARY, "application/json"));
                    answers.append(server.get("/metrics")).append(server.get("/v2/models/stats"));
                }
            }
            assertThat(files(to)).as("%s", told).hasSize(1);
            for (Path file : files(to)) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertThat(text).contains("***").doesNotContain(CANARY);
            }
        }
        assertThat(answers.toString()).doesNotContain(CANARY);
        assertThat(told.toString()).doesNotContain(CANARY);
    }

    @Test
    void shouldWriteParquetThatIsWholeUnderItsName() throws Exception {
        Path file = folder.resolve("log.parquet");
        try (RequestLog log = log(LogOptions.to(file, 1))) {
            try (GivenServer server = serve(log)) {
                assertThat(server.post(ROWS, row("town 1"), "application/json").status())
                        .isEqualTo(200);
            }
            assertThat(file).doesNotExist();
        }
        assertThat(file).as("%s", told).exists();
        byte[] bytes = Files.readAllBytes(file);
        assertThat(new String(bytes, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("PAR1");
        assertThat(new String(bytes, bytes.length - 4, 4, StandardCharsets.US_ASCII))
                .isEqualTo("PAR1");
        assertThat(files(folder)).containsExactly(file);
    }

    @Test
    void shouldBeginNewFilesAndLoseNoRequest() throws Exception {
        int requests = 60;
        Path to = Files.createDirectories(folder.resolve("logs"));
        try (RequestLog log = log(LogOptions.to(to, 1).rotated(1000, Long.MAX_VALUE))) {
            try (GivenServer server = serve(log)) {
                for (int i = 0; i < requests; i++) {
                    server.post(ROWS, row("town " + i % 40), "application/json");
                }
            }
        }
        List<Path> files = files(to);
        assertThat(files).hasSizeGreaterThan(3).allMatch(f -> f.toString().endsWith(".jsonl"));
        int lines = files.stream().mapToInt(RequestLogTest::count).sum();
        assertThat(lines).isEqualTo(requests);
    }

    private static int count(Path file) {
        try {
            return lines(file).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldCountWhatFindsNoRoom() throws Exception {
        Path file = folder.resolve("log.jsonl");
        try (RequestLog log = log(LogOptions.to(file, 1).waiting(1))) {
            try (GivenServer server = serve(log)) {
                assertThat(server.post(ROWS, row("town 1"), "application/json").status())
                        .isEqualTo(200);
                assertThat(server.get("/metrics").body())
                        .contains("medley_serving_log_dropped_total 1");
            }
        }
        assertThat(told).anyMatch(t -> t.contains("1 requests were not logged"));
        assertThat(files(folder)).isEmpty();
    }

    @Test
    void shouldGoOnWhereNothingCanBeWritten() throws Exception {
        Path to = Files.createDirectories(folder.resolve("logs"));
        try (RequestLog log = log(LogOptions.to(to, 1))) {
            Files.delete(to);
            try (GivenServer server = serve(log)) {
                assertThat(server.post(ROWS, row("town 1"), "application/json").status())
                        .isEqualTo(200);
            }
        }
        assertThat(told).anyMatch(t -> t.contains("requests cannot be logged"));
    }

    @Test
    void shouldSayWhatIsNoLog() throws Exception {
        assertThatThrownBy(() -> LogOptions.to(Path.of("log.csv"), 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("use .jsonl or .parquet");
        assertThatThrownBy(() -> LogOptions.to(Path.of("log.jsonl"), 0))
                .hasMessageContaining("--log-sample 0.0");
        assertThatThrownBy(() -> LogOptions.to(Path.of("l.jsonl"), 1).in(LogOptions.Format.PARQUET))
                .hasMessageContaining("says another by its ending");
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> log(LogOptions.to(file.resolve("log.jsonl"), 1)))
                .hasMessageContaining("cannot be written");
    }
}
