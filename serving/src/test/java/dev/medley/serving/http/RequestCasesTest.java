package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.onnx.given.GivenTable;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Requests that do not fit, after the names of Triton's qa: each gets one sentence. */
@Tag("real")
class RequestCasesTest {
    @TempDir private static Path folder;
    private static GivenServer server;
    private static GivenTable table;

    @BeforeAll
    static void begin() throws Exception {
        table = GivenTable.in(folder, "income", new ModelSpec.Linear());
        table.trained(null).close();
        server = GivenServer.of(folder.resolve("model"), "libtorch");
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static String input(String name, String type, String shape, String data) {
        return "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":%s,\"data\":%s}"
                .formatted(name, type, shape, data);
    }

    private static String request(String... inputs) {
        return "{\"inputs\":[" + String.join(",", inputs) + "]}";
    }

    /** A whole request of one row, with one input in place of its own. */
    private static String with(String name, String other) {
        String[] all = {
            input("age", "FP64", "[1,1]", "[30]"),
            input("size", "FP64", "[1]", "[1000]"),
            input("member", "FP64", "[1,1]", "[[1]]"),
            input("since", "BYTES", "[1,1]", "[\"2001-02-03\"]"),
            input("colour", "BYTES", "[1,1]", "[\"red\"]"),
            input("town", "BYTES", "[1,1]", "[\"town 1\"]")
        };
        for (int i = 0; i < all.length; i++) {
            if (all[i].contains("\"" + name + "\"")) {
                all[i] = other;
            }
        }
        return request(all);
    }

    static Stream<Arguments> badBodies() {
        return Stream.of(
                Arguments.of("", "no JSON object"),
                Arguments.of("hello", "not JSON"),
                Arguments.of("[]", "no JSON object"),
                Arguments.of("{}", "has no \"inputs\""),
                Arguments.of("{\"inputs\":{}}", "\"inputs\" is a list"),
                Arguments.of("{\"inputs\":[]}", "\"inputs\" is empty"),
                Arguments.of("{\"inputs\":[3]}", "holds objects"),
                Arguments.of("{\"inputs\":[{}]}", "an input has no name"),
                Arguments.of("{\"input\":[]}", "there is no key 'input'"),
                Arguments.of("{\"id\":5,\"inputs\":[]}", "\"id\" is a text"),
                Arguments.of("{\"inputs\":[]} x", "not JSON"),
                Arguments.of("{\"inputs\":[]}{}", "more behind"),
                Arguments.of("[".repeat(100_000), "no JSON object"),
                Arguments.of("{\"inputs\":" + "[".repeat(5000), "holds objects"));
    }

    static Stream<Arguments> badShapes() {
        String age = "age";
        return Stream.of(
                Arguments.of(with(age, input("aeg", "FP64", "[1]", "[1]")), "did you mean 'age'"),
                Arguments.of(with(age, input(age, "FP46", "[1]", "[1]")), "no datatype 'FP46'"),
                Arguments.of(with(age, input(age, "FP64", "[1,2]", "[1,2]")), "it takes [-1, 1]"),
                Arguments.of(with(age, input(age, "FP64", "[-1]", "[1]")), "negative length"),
                Arguments.of(
                        with(age, input(age, "FP64", "[9223372036854775807,3]", "[1]")),
                        "is too large"),
                Arguments.of(with(age, input(age, "FP64", "[1e3]", "[1]")), "whole numbers"),
                Arguments.of(with(age, input(age, "FP64", "3", "[1]")), "whole numbers"),
                Arguments.of(with(age, input(age, "FP64", "[2]", "[1]")), "has 2 elements, and 1"),
                Arguments.of(with(age, input(age, "FP64", "[2]", "[1,2]")), "all have as many"),
                Arguments.of(with(age, input(age, "FP64", "[1]", "1")), "data is a list"),
                Arguments.of(with(age, input(age, "FP64", "[1]", "[{}]")), "not objects"),
                Arguments.of(with(age, input(age, "FP64", "[1]", "[\"x\"]")), "are numbers"),
                Arguments.of(
                        with(age, input(age, "FP64", "[2]", "[1,\"x\"]")), "beside each other"),
                Arguments.of(
                        with(age, input(age, "FP64", "[1,1]", "[1,[2]]")), "beside each other"),
                Arguments.of(with(age, input(age, "FP64", "[2,2]", "[[1,2],[3]]")), "ragged"),
                Arguments.of(with(age, input(age, "FP64", "[1]", "[[1]]")), "nested as [1, 1]"));
    }

    static Stream<Arguments> badValues() {
        String age = "age";
        return Stream.of(
                Arguments.of(with(age, input(age, "FP64", "[1]", "[true]")), "true and false"),
                Arguments.of(with(age, input(age, "INT8", "[1]", "[300]")), "is no INT8"),
                Arguments.of(with(age, input(age, "INT32", "[1]", "[1.5]")), "is no INT32"),
                Arguments.of(with(age, input(age, "UINT8", "[1]", "[-1]")), "is no UINT8"),
                Arguments.of(with(age, input(age, "INT32", "[1]", "[null]")), "null is no value"),
                Arguments.of(with(age, input(age, "FP32", "[1]", "[1e39]")), "too large for FP32"),
                Arguments.of(
                        with(age, input(age, "FP64", "[1]", "[1e999]")), "no value of a column"),
                Arguments.of(
                        with(age, input(age, "FP64", "[1]", "[Infinity]")), "no value of a column"),
                Arguments.of(with(age, input(age, "BYTES", "[1]", "[\"old\"]")), "is not a number"),
                Arguments.of(with(age, input(age, "BYTES", "[1]", "[3]")), "texts in quotes"),
                Arguments.of(
                        with("since", input("since", "BYTES", "[1]", "[\"soon\"]")),
                        "is not a date as"),
                Arguments.of(with(age, "{\"name\":\"age\"}"), "has no shape"),
                Arguments.of(
                        with(age, "{\"name\":\"age\",\"shape\":[1],\"data\":[1]}"),
                        "has no datatype"),
                Arguments.of(
                        with(age, "{\"name\":\"age\",\"shape\":[1],\"datatype\":\"FP64\"}"),
                        "has no data"),
                Arguments.of(with(age, input("size", "FP64", "[1]", "[1]")), "is sent twice"),
                Arguments.of(
                        with("", "")
                                .replaceFirst(
                                        "\\]\\}$", "],\"outputs\":[{\"name\":\"predicton\"}]}"),
                        "did you mean 'prediction'"),
                Arguments.of(request(input(age, "FP64", "[1]", "[1]")), "there is no input 'size'"),
                Arguments.of(
                        with(
                                age,
                                "{\"name\":\"age\",\"shape\":[1],\"datatype\":\"FP64\",\"parameters\":"
                                    + "{\"binary_data_size\":8}}"),
                        "8, and 0 bytes are left"),
                Arguments.of(
                        with(
                                age,
                                "{\"name\":\"age\",\"shape\":[1],\"datatype\":\"FP64\",\"parameters\":"
                                    + "{\"binary_data_size\":\"x\"}}"),
                        "is a whole number"));
    }

    @ParameterizedTest
    @MethodSource({"badBodies", "badShapes", "badValues"})
    void shouldSayWhatDoesNotFit(String body, String words) throws Exception {
        GivenServer.Answer answer = server.post("/v2/models/m/infer", body, "application/json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.type()).startsWith("application/json");
        assertThat(answer.json().path("error").asString()).contains(words);
    }

    static Stream<Arguments> badRows() {
        return Stream.of(
                Arguments.of("", "no rows"),
                Arguments.of("7", "no rows"),
                Arguments.of("{\"age\":1}", "no row has the column"),
                Arguments.of("[{\"age\":1},4]", "is a single value"),
                Arguments.of("[[1,2]]", "row 0 has 2 values"),
                Arguments.of("[[1,2,3,4,5,6,7]]", "more than the 6 columns"),
                Arguments.of("{\"instances\":3}", "is a list of rows"),
                Arguments.of("[[\"x\",1,1,\"\",\"red\",\"t\"]]", "row 0, column 'age': \"x\""),
                Arguments.of("[[1,1,1,\"\",[1],\"t\"]]", "a value is a number"),
                Arguments.of("[{\"age\":1,\"size\":2,\"age\":3}]", "Duplicate Object property"),
                Arguments.of("{\"age\":1", "not JSON"));
    }

    @ParameterizedTest
    @MethodSource("badRows")
    void shouldSayWhichRowDoesNotFit(String body, String words) throws Exception {
        for (String verb : List.of("rows", "predict")) {
            GivenServer.Answer answer =
                    server.post("/v1/models/m:" + verb, body, "application/json");
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.json().path("error").asString()).contains(words);
        }
    }

    static Stream<Arguments> places() {
        return Stream.of(
                Arguments.of("/v2/models/n", 404),
                Arguments.of("/v2/models/m/versions/2", 404),
                Arguments.of("/v2/models/m/version/1", 404),
                Arguments.of("/v2/nothing", 404),
                Arguments.of("/v2/models/m/infer", 405),
                Arguments.of("/v1/models/n", 404),
                Arguments.of("/v2/models/m/ready", 200),
                Arguments.of("/v2/models/m/versions/1/ready", 200),
                Arguments.of("/v2/health/live", 200),
                Arguments.of("/v2/health/ready", 200),
                Arguments.of("/v2", 200),
                Arguments.of("/v2/models/m/stats", 200),
                Arguments.of("/v2/models/stats", 200),
                Arguments.of("/metrics", 200));
    }

    @ParameterizedTest
    @MethodSource("places")
    void shouldAnswerAtEachPlace(String path, int status) throws Exception {
        GivenServer.Answer answer = server.get(path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        if (status >= 400) {
            assertThat(answer.json().path("error").asString()).isNotEmpty();
        }
    }

    @Test
    void shouldTakeAndGiveBytes() throws Exception {
        String json =
                Stream.of("age", "size", "member")
                        .map(
                                name ->
                                        ("{\"name\":\"%s\",\"datatype\":\"FP32\",\"shape\":[1,1],"
                                             + "\"parameters\":{\"binary_data_size\":4}}")
                                                .formatted(name))
                        .reduce((a, b) -> a + "," + b)
                        .orElseThrow();
        String texts =
                Stream.of("since", "colour", "town")
                        .map(
                                name ->
                                        ("{\"name\":\"%s\",\"datatype\":\"BYTES\",\"shape\":[1,1],"
                                             + "\"parameters\":{\"binary_data_size\":7}}")
                                                .formatted(name))
                        .reduce((a, b) -> a + "," + b)
                        .orElseThrow();
        byte[] head =
                ("{\"inputs\":["
                                + json
                                + ","
                                + texts
                                + "],\"parameters\":{\"binary_data_output\":true}}")
                        .replaceFirst("(since.*?binary_data_size\":)7", "$1" + "14")
                        .getBytes(StandardCharsets.UTF_8);
        ByteBuffer body =
                ByteBuffer.allocate(head.length + 12 + 14 + 14).order(ByteOrder.LITTLE_ENDIAN);
        body.put(head).putFloat(30).putFloat(1000).putFloat(Float.NaN);
        for (String text : List.of("2001-02-03", "red", "abc")) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            body.putInt(utf8.length).put(utf8);
        }
        // No Content-Type: the most used client sends none.
        HttpResponse<byte[]> answer =
                server.bytes(
                        HttpRequest.newBuilder(server.at("/v2/models/m/infer"))
                                .header("Inference-Header-Content-Length", "" + head.length)
                                .POST(BodyPublishers.ofByteArray(body.array())));
        assertThat(answer.statusCode())
                .as(new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        int length =
                Integer.parseInt(
                        answer.headers()
                                .firstValue("inference-header-content-length")
                                .orElseThrow());
        String said = new String(answer.body(), 0, length, StandardCharsets.UTF_8);
        assertThat(said).contains("\"binary_data_size\":16");
        ByteBuffer raw =
                ByteBuffer.wrap(answer.body(), answer.body().length - 16, 16)
                        .slice()
                        .order(ByteOrder.LITTLE_ENDIAN);
        assertThat(raw.getDouble(0) + raw.getDouble(8)).isEqualTo(1);
    }

    /** Who announces a body and sends none holds nothing. */
    @Test
    void shouldAnswerBesideCallersThatSendNothing() throws Exception {
        List<java.net.Socket> idle = new java.util.ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                java.net.Socket socket =
                        new java.net.Socket(
                                java.net.InetAddress.getLoopbackAddress(), server.port());
                idle.add(socket);
                String head =
                        """
                        POST /v2/models/m/infer HTTP/1.1\r
                        Host: x\r
                        Content-Length: 60000000\r
                        \r
                        """;
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
            }
            GivenServer.Answer answer =
                    server.post("/v2/models/m/infer", with("", ""), "application/json");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        } finally {
            for (java.net.Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void shouldKeepTheDigitsOfNames() throws Exception {
        String rows =
                "[{\"age\":30,\"size\":1,\"member\":true,\"since\":null,\"colour\":12345678901234567890123,"
                    + "\"town\":9007199254740993}]";
        GivenServer.Answer answer = server.post("/v1/models/m:rows", rows, "application/json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        GivenServer.Answer large =
                server.post(
                        "/v1/models/m:rows",
                        rows.replace("\"age\":30", "\"age\":9007199254740993"),
                        "application/json");
        assertThat(large.status()).as(large.body()).isEqualTo(200);
    }

    @Test
    void shouldUnloadAndLoad() throws Exception {
        assertThat(server.post("/v2/repository/index", "", "application/json").body())
                .contains("READY");
        assertThat(server.post("/v2/repository/models/m/unload", "", "text/plain").status())
                .isEqualTo(200);
        GivenServer.Answer away = server.post("/v2/models/m/infer", "{}", "application/json");
        assertThat(away.status()).isEqualTo(503);
        assertThat(server.get("/v2/health/ready").status()).isEqualTo(503);
        assertThat(server.post("/v2/repository/models/m/load", "{}", "text/plain").status())
                .isEqualTo(200);
        assertThat(server.get("/v2/models/m/ready").status()).isEqualTo(200);
        assertThat(server.post("/v2/repository/models/n/load", "{}", "text/plain").status())
                .isEqualTo(404);
    }

    /** Whatever bytes come, there is an answer, and it is never our own failure. */
    @Test
    void shouldNeverFailItselfOverMutatedBodies() throws Exception {
        byte[] whole = GivenServer.request(table.arrays()).getBytes(StandardCharsets.UTF_8);
        byte[] small = with("", "").getBytes(StandardCharsets.UTF_8);
        RandomGenerator random = Seeds.generator(11);
        for (int i = 0; i < 1500; i++) {
            byte[] body = (i % 10 == 0 ? whole : small).clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(5) == 0 ? random.nextInt(body.length) : body.length;
            byte[] sent = java.util.Arrays.copyOf(body, length);
            boolean isBinary = random.nextInt(6) == 0;
            GivenServer.Answer answer =
                    isBinary
                            ? server.post(
                                    "/v2/models/m/infer",
                                    sent,
                                    "Inference-Header-Content-Length",
                                    "" + random.nextInt(2 * length + 2))
                            : server.post(
                                    i % 3 == 0 ? "/v1/models/m:rows" : "/v2/models/m/infer", sent);
            assertThat(answer.status()).as("%d: %s", i, answer.body()).isIn(200, 400);
            JsonNode json = answer.json();
            assertThat(answer.status() == 200 || json.path("error").isString()).isTrue();
        }
    }

    @Test
    void shouldSayThatABodyIsTooLarge() throws Exception {
        ServerLimits usual = ServerLimits.usual();
        ServerLimits small =
                new ServerLimits(1000, 10_000, 10, usual.request(), usual.idle(), usual.drain());
        try (GivenServer other =
                GivenServer.of(
                        folder.resolve("model"),
                        dev.medley.serving.host.ServeLimits.usual(),
                        small)) {
            GivenServer.Answer answer =
                    other.post("/v2/models/m/infer", " ".repeat(2000), "application/json");
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.json().path("error").asString()).contains("too large");
        }
    }

    @Test
    void shouldTellClassesByThemselves() throws Exception {
        String body =
                with("", "")
                        .replaceFirst(
                                "\\]\\}$",
                                "],\"outputs\":[{\"name\":\"probability\",\"parameters\":"
                                        + "{\"classification\":1}}]}");
        GivenServer.Answer answer = server.post("/v2/models/m/infer", body, "application/json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().path("outputs").get(0).path("data").get(0).asString())
                .matches("0\\.\\d+:[01]");
        assertThat(Json.line(Map.of("outputs", answer.json().path("outputs").size())))
                .contains("1");
    }
}
