package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.ModelSpec;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.inference.model.GenerateOptions;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenModel;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.host.RequestFigures;
import dev.medley.serving.host.ServeLimits;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A language model goes on with texts over HTTP as {@code medley generate} does. */
@Tag("real")
@Timeout(120)
class GenerateTest {
    private static final String GENERATE = "/v2/models/m/generate";

    @TempDir private static Path folder;
    private static GivenServer server;
    private static String expected;

    @BeforeAll
    static void open() throws Exception {
        TextEncoding bytes = new TextEncoding(TextUnit.BYTES, 24, List.of());
        try (LoadedModel model =
                GivenModel.trained(
                        folder.resolve("model"),
                        new ModelSpec.Transformer(1, 16, 2, 0.1),
                        bytes,
                        GivenModel.drawn(bytes.signature(), 8))) {
            expected = model.generate("To be", new GenerateOptions(60, 0.9, 5, 1, 7));
        }
        server = GivenServer.of(folder.resolve("model"), "libtorch");
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static Map<String, Object> parameters(Object... more) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("max_tokens", 60);
        all.put("temperature", 0.9);
        all.put("top_k", 5);
        all.put("seed", 7);
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    private static String body(Map<String, Object> parameters) {
        return Json.line(Map.of("text_input", "To be", "parameters", parameters));
    }

    private static JsonNode asked(String path, String body) throws Exception {
        GivenServer.Answer answer = server.post(path, body, "application/json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void aSeedShouldGiveTheTextOfTheCommand() throws Exception {
        JsonNode answer = asked(GENERATE, body(parameters()));
        assertThat(answer.path("text_output").asString()).isEqualTo(expected);
        assertThat(answer.path("model_name").asString()).isEqualTo("m");
        assertThat(answer.path("model_version").asString()).isEqualTo("1");
        assertThat(answer.path("finish_reason").asString()).isEqualTo("length");
        assertThat(asked("/v2/models/m/versions/1/generate", body(parameters()))).isEqualTo(answer);
        Map<String, Object> flat = parameters("text_input", "To be", "id", "a");
        assertThat(asked(GENERATE, Json.line(flat)).path("text_output"))
                .isEqualTo(answer.path("text_output"));
        assertThat(asked(GENERATE, Json.line(flat)).path("id").asString()).isEqualTo("a");
        assertThat(asked(GENERATE, body(parameters("seed", 8))).path("text_output"))
                .isNotEqualTo(answer.path("text_output"));
    }

    @Test
    void aStreamShouldGiveTheSameTextInPieces() throws Exception {
        List<JsonNode> events = events(body(parameters()));
        StringBuilder text = new StringBuilder();
        events.forEach(event -> text.append(event.path("text_output").asString()));
        assertThat(text.toString()).isEqualTo(expected);
        assertThat(events).hasSizeGreaterThan(5);
        assertThat(events.get(events.size() - 1).path("finish_reason").asString())
                .isEqualTo("length");
    }

    @Test
    void aTextShouldEndBeforeTheFirstStop() throws Exception {
        String stop = expected.substring(20, 23);
        String before = expected.substring(0, expected.indexOf(stop));
        JsonNode answer = asked(GENERATE, body(parameters("stop", List.of(stop))));
        assertThat(answer.path("text_output").asString()).isEqualTo(before);
        assertThat(answer.path("finish_reason").asString()).isEqualTo("stop_sequence");
        assertThat(asked(GENERATE, body(parameters("stop", stop)))).isEqualTo(answer);
        StringBuilder text = new StringBuilder();
        events(body(parameters("stop", stop)))
                .forEach(e -> text.append(e.path("text_output").asString()));
        assertThat(text.toString()).isEqualTo(before);
    }

    private static List<JsonNode> events(String body) throws Exception {
        GivenServer.Answer answer = server.post(GENERATE + "_stream", body, "application/json");
        assertThat(answer.type()).startsWith("text/event-stream");
        List<JsonNode> events = new ArrayList<>();
        for (String event : answer.body().split("\n\n", -1)) {
            if (!event.isEmpty()) {
                assertThat(event).startsWith("data: ");
                events.add(Json.parse(event.substring(6), JsonNode.class));
            }
        }
        return events;
    }

    @Test
    void badRequestsShouldBeToldWhatIsWrong() throws Exception {
        refused("{", "not JSON");
        String digits = "9".repeat(500);
        refused("{\"text_input\": \"a\", \"top_p\": " + digits + "}", "too large a number");
        refused("{\"text_input\": \"a\", \"seed\": " + digits + "}", "seed is a whole number");
        refused("[]", "no JSON object");
        refused("{}", "text_input");
        refused("{\"text_input\": 5}", "text_input");
        refused("{\"text_input\": \"\"}", "prompt is empty");
        refused("{\"text_input\": \"a\", \"max_token\": 5}", "did you mean 'max_tokens'?");
        refused("{\"text_input\": \"a\", \"parameters\": []}", "an object");
        refused(body(parameters("max_tokens", 0)), "max_tokens is 0; give 1 to 4096");
        refused(body(parameters("max_tokens", 4097)), "max_tokens");
        refused(body(parameters("max_tokens", 1.5)), "max_tokens is a whole number");
        refused(body(parameters("temperature", -1)), "temperature");
        refused(body(parameters("temperature", "hot")), "temperature is a number");
        refused(body(parameters("top_k", -1)), "top_k");
        refused(body(parameters("top_p", 0)), "top-p");
        refused(body(parameters("seed", 1e30)), "seed");
        refused(body(parameters("stop", 5)), "stop");
        refused(body(parameters("stop", List.of(""))), "stop");
        refused(body(parameters("stop", List.of(1))), "stop");
        refused(body(parameters("details", true)), "details");
        refused(body(parameters("stream", true)), "generate_stream");
        assertThat(server.post("/v2/models/n/generate", "{}", "application/json").status())
                .isEqualTo(404);
        assertThat(server.get(GENERATE).status()).isEqualTo(405);
        HttpRequest.Builder large =
                HttpRequest.newBuilder(server.at(GENERATE))
                        .version(HttpClient.Version.HTTP_1_1)
                        .POST(BodyPublishers.ofByteArray(new byte[(1 << 20) + 1]));
        assertThat(server.send(large).status()).isEqualTo(413);
    }

    private static void refused(String body, String words) throws Exception {
        List<String> paths = words.equals("generate_stream") ? List.of("") : List.of("", "_stream");
        for (String path : paths) {
            GivenServer.Answer answer = server.post(GENERATE + path, body, "application/json");
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.json().path("error").asString()).as(body).contains(words);
        }
    }

    @Test
    void whatNobodyWaitsForShouldEnd() throws Exception {
        RequestFigures figures = server.host().entries().get("m").versions().get(0).requests();
        RequestFigures.Sum before = figures.sum();
        byte[] body = body(parameters("max_tokens", 4096)).getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String head =
                    "POST %s_stream HTTP/1.1\r\nHost: m\r\nContent-Length: %d\r\n\r\n"
                            .formatted(GENERATE, body.length);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isEqualTo('H');
        }
        // What was answered before may be counted meanwhile, as one that is good.
        while (figures.sum().failed() == before.failed()) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(figures.sum().failed()).isEqualTo(before.failed() + 1);
    }

    @Test
    void aRequestShouldEndWhenItsTimeIsOver() throws Exception {
        ServerLimits usual = ServerLimits.usual();
        ServerLimits brief =
                new ServerLimits(
                        usual.bodyBytes(),
                        usual.heldBytes(),
                        usual.connections(),
                        Duration.ofNanos(1),
                        usual.idle(),
                        usual.drain());
        ServeLimits limits = new ServeLimits(BatchLimits.USUAL, "libtorch", 1, 1);
        try (GivenServer late = GivenServer.of(folder.resolve("model"), limits, brief)) {
            GivenServer.Answer answer = late.post(GENERATE, body(parameters()), "application/json");
            assertThat(answer.status()).as(answer.body()).isEqualTo(504);
        }
    }
}
