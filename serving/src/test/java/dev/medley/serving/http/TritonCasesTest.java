package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.ModelSpec;
import dev.medley.onnx.given.GivenTable;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** More requests after the names of Triton's qa: what comes in, and the status that it gets. */
@Tag("real")
class TritonCasesTest {
    private static final String INFER = "/v2/models/m/infer";

    /** A whole request of one row. */
    private static final String ROW =
            """
            {"inputs":[
            {"name":"age","datatype":"FP64","shape":[1,1],"data":[30]},
            {"name":"size","datatype":"FP64","shape":[1,1],"data":[1000]},
            {"name":"member","datatype":"FP64","shape":[1,1],"data":[1]},
            {"name":"since","datatype":"BYTES","shape":[1,1],"data":["2001-02-03"]},
            {"name":"colour","datatype":"BYTES","shape":[1,1],"data":["red"]},
            {"name":"town","datatype":"BYTES","shape":[1,1],"data":["town 1"]}]}
            """
                    .strip();

    @TempDir private static Path folder;
    private static GivenServer server;

    @BeforeAll
    static void begin() throws Exception {
        GivenTable.in(folder, "income", new ModelSpec.Linear()).trained(null).close();
        server = GivenServer.of(folder.resolve("model"), "libtorch");
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static String with(String from, String to) {
        assertThat(ROW).contains(from);
        return ROW.replace(from, to);
    }

    private static String more(String keys) {
        return ROW.substring(0, ROW.length() - 1) + "," + keys + "}";
    }

    private static String classes(String output, String most) {
        return more(
                "\"outputs\":[{\"name\":\"%s\",\"parameters\":{\"classification\":%s}}]"
                        .formatted(output, most));
    }

    static Stream<Arguments> json() {
        return Stream.of(
                Arguments.of("L0_json whole", ROW, 200),
                Arguments.of("L0_json id", more("\"id\":\"\\u00e4\\ud83d\\ude00\""), 200),
                Arguments.of("L0_json half a surrogate", more("\"id\":\"\\ud800\""), 200),
                Arguments.of("L0_json unknown key", more("\"x\":1"), 400),
                Arguments.of("L0_json name of the model", more("\"model_name\":\"m\""), 200),
                Arguments.of(
                        "L0_json parameters",
                        more("\"parameters\":{\"a\":[1,{}],\"b\":null}"),
                        200),
                Arguments.of("L0_json parameters list", more("\"parameters\":[]"), 400),
                Arguments.of(
                        "L0_json deep parameters",
                        more("\"parameters\":{\"a\":" + "[".repeat(90)),
                        400),
                Arguments.of("L0_json cut", ROW.substring(0, ROW.length() / 2), 400),
                Arguments.of("L0_json comment", "/* a */" + ROW, 400),
                Arguments.of("L0_json BOM", "\uFEFF" + ROW, 200),
                Arguments.of("L0_json twice a key", more("\"inputs\":[]"), 400),
                Arguments.of("L0_json number as text", with("[30]", "[\"30\"]"), 400),
                Arguments.of(
                        "L0_json number in BYTES",
                        with("\"age\",\"datatype\":\"FP64\"", "\"age\",\"datatype\":\"BYTES\"")
                                .replace("[30]", "[\"30\"]"),
                        200),
                Arguments.of("L0_json null", with("[30]", "[null]"), 200),
                Arguments.of("L0_json NaN", with("[30]", "[NaN]"), 200),
                Arguments.of("L0_json long digits", with("[30]", "[" + "3".repeat(350) + "]"), 400),
                Arguments.of(
                        "L0_json longest digits", with("[30]", "[" + "3".repeat(5000) + "]"), 400),
                Arguments.of("L0_json small", with("[30]", "[1e-400]"), 200),
                Arguments.of("L0_json minus zero", with("[30]", "[-0.0]"), 200));
    }

    static Stream<Arguments> values() {
        String big = "\"" + "x".repeat(1_000_000) + "\"";
        return Stream.of(
                Arguments.of(
                        "L0_nullchar_string in a text", with("\"red\"", "\"re\\u0000d\""), 200),
                Arguments.of(
                        "L0_nullchar_string in a date",
                        with("2001-02-03", "2001-02-03\\u0000"),
                        400),
                Arguments.of(
                        "L0_nullchar_string in a name", with("\"age\"", "\"ag\\u0000e\""), 400),
                Arguments.of("L0_nullchar_string as id", more("\"id\":\"\\u0000\""), 200),
                Arguments.of("L0_input_validation long text", with("\"red\"", big), 200),
                Arguments.of(
                        "L0_input_validation long name",
                        with("\"age\"", "\"" + "a".repeat(900) + "\""),
                        400),
                Arguments.of("L0_input_validation longest name", with("\"age\"", big), 400),
                Arguments.of(
                        "L0_input_validation no rows",
                        ROW.replace("[1,1]", "[0,1]")
                                .replaceAll("\"data\":\\[[^]]*\\]", "\"data\":[]"),
                        200),
                Arguments.of(
                        "L0_input_validation one of two rows",
                        with("[1,1],\"data\":[30]", "[2,1],\"data\":[30]"),
                        400),
                Arguments.of(
                        "L0_input_validation 3 dimensions",
                        with("[1,1],\"data\":[30]", "[1,1,1],\"data\":[30]"),
                        400),
                Arguments.of(
                        "L0_input_validation no dimensions",
                        with("[1,1],\"data\":[30]", "[],\"data\":[30]"),
                        400),
                Arguments.of(
                        "L0_input_validation many dimensions",
                        with("[1,1],\"data\":[30]", "[" + "1,".repeat(40) + "1],\"data\":[30]"),
                        400),
                Arguments.of(
                        "L0_query one output",
                        more("\"outputs\":[{\"name\":\"probability\"}]"),
                        200),
                Arguments.of(
                        "L0_query output twice",
                        more("\"outputs\":[{\"name\":\"probability\"},{\"name\":\"probability\"}]"),
                        200),
                Arguments.of(
                        "L0_query unknown output", more("\"outputs\":[{\"name\":\"x\"}]"), 400),
                Arguments.of("L0_query output without a name", more("\"outputs\":[{}]"), 400),
                Arguments.of("L0_query classes of texts", classes("prediction", "1"), 400),
                Arguments.of(
                        "L0_query very many classes", classes("probability", "99999999999"), 200),
                Arguments.of("L0_query -1 classes", classes("probability", "-1"), 400));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"json", "values"})
    void aBodyShouldGetItsStatus(String name, String body, int status) throws Exception {
        GivenServer.Answer answer = server.post(INFER, body, "application/json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(status == 200 || answer.json().path("error").isString()).isTrue();
    }

    static Stream<Arguments> heads() {
        String length = "Inference-Header-Content-Length";
        return Stream.of(
                Arguments.of("L0_http no type", List.of(), 200),
                Arguments.of("L0_http another type", List.of("Content-Type", "text/plain"), 200),
                Arguments.of("L0_http a type that is none", List.of("Content-Type", "///"), 200),
                Arguments.of("L0_http length of all", List.of(length, "" + ROW.length()), 200),
                Arguments.of("L0_http length -1", List.of(length, "-1"), 400),
                Arguments.of("L0_http length too large", List.of(length, "99999999"), 400),
                Arguments.of("L0_http length beyond", List.of(length, "99999999999999999999"), 400),
                Arguments.of("L0_http length x", List.of(length, "x"), 400),
                Arguments.of("L0_http length empty", List.of(length, ""), 400),
                Arguments.of("L0_http length short", List.of(length, "5"), 400),
                Arguments.of(
                        "L0_http encoding that is none", List.of("Content-Encoding", "x"), 400),
                Arguments.of(
                        "L0_http other headers",
                        List.of("triton-a", "b", "x-request-id", "1"),
                        200));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("heads")
    void aHeaderShouldGetItsStatus(String name, List<String> headers, int status) throws Exception {
        byte[] body = ROW.getBytes(StandardCharsets.UTF_8);
        GivenServer.Answer answer = server.post(INFER, body, headers.toArray(String[]::new));
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(status == 200 || answer.json().path("error").isString()).isTrue();
    }

    static Stream<Arguments> paths() {
        return Stream.of(
                Arguments.of("POST", "/v2/models/%6d/infer", 200),
                Arguments.of("POST", "/v2/models/m/versions/1/infer", 200),
                Arguments.of("POST", "/v2/models/m/versions/01/infer", 404),
                Arguments.of("POST", "/v2/models/m/versions/-1/infer", 404),
                Arguments.of("POST", "/v2/models/m/versions//infer", 405),
                Arguments.of("POST", "/v2/models/M/infer", 404),
                Arguments.of("POST", "/v2/models/m%00/infer", 400),
                Arguments.of("POST", "/v2/models/..%2f..%2fetc/infer", 400),
                Arguments.of("POST", "/v2/models/" + "m".repeat(3000) + "/infer", 404),
                Arguments.of("POST", "/v2/models/m/infer?x=1", 200),
                Arguments.of("POST", "/v2/health/live", 405),
                Arguments.of("POST", "/", 405),
                Arguments.of("PUT", INFER, 405),
                Arguments.of("DELETE", INFER, 405),
                Arguments.of("PATCH", INFER, 405),
                Arguments.of("OPTIONS", INFER, 405),
                Arguments.of("HEAD", "/v2/health/live", 200),
                Arguments.of("HEAD", "/v2/models/m", 200),
                Arguments.of("GET", "/v2/", 200),
                Arguments.of("GET", "/page/try.js", 200),
                Arguments.of("GET", "/page/nothing.js", 404),
                Arguments.of("GET", "/v2/repository/index", 405));
    }

    @ParameterizedTest(name = "L0_http {0} {1}")
    @MethodSource("paths")
    void aPathShouldGetItsStatus(String method, String path, int status) throws Exception {
        boolean hasBody = !List.of("GET", "HEAD").contains(method);
        GivenServer.Answer answer =
                server.send(
                        HttpRequest.newBuilder(server.at(path))
                                .method(
                                        method,
                                        hasBody
                                                ? BodyPublishers.ofString(ROW)
                                                : BodyPublishers.noBody()));
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(status == 200 || answer.json().path("error").isString()).isTrue();
    }

    /** L0_http: request compression of tritonclient. */
    @Test
    void aPackedBodyShouldBeUnpacked() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(ROW.getBytes(StandardCharsets.UTF_8));
        }
        byte[] body = packed.toByteArray();
        assertThat(server.post(INFER, body, "Content-Encoding", "gzip").status()).isEqualTo(200);
        body[body.length / 2] ^= 0x55;
        GivenServer.Answer damaged = server.post(INFER, body, "Content-Encoding", "gzip");
        assertThat(damaged.status()).as(damaged.body()).isEqualTo(400);
        assertThat(damaged.json().path("error").isString()).isTrue();
        byte[] plain = ROW.getBytes(StandardCharsets.UTF_8);
        for (String packing : List.of("gzip", "deflate")) {
            GivenServer.Answer other = server.post(INFER, plain, "Content-Encoding", packing);
            assertThat(other.status()).as(packing + other.body()).isEqualTo(400);
        }
        assertThat(server.post(INFER, plain, "Content-Encoding", "Identity").status())
                .isEqualTo(200);
        for (String packing : List.of("br", "zstd", "gzip, gzip")) {
            GivenServer.Answer other = server.post(INFER, plain, "Content-Encoding", packing);
            assertThat(other.status()).as(packing + other.body()).isEqualTo(400);
            assertThat(other.body()).contains("send gzip, deflate or none");
        }
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bomb)) {
            byte[] spaces = new byte[1 << 20];
            for (int i = 0; i < 100; i++) {
                out.write(spaces);
            }
        }
        GivenServer.Answer large =
                server.post(INFER, bomb.toByteArray(), "Content-Encoding", "gzip");
        assertThat(large.status()).as(large.body()).isEqualTo(413);
    }

    /** L0_lifecycle. */
    @Test
    void aModelShouldComeAndGo() throws Exception {
        String of = "/v2/repository/models/";
        assertStatus(of + "n/load", "", 404);
        assertStatus(of + "n/unload", "", 404);
        assertStatus(of + "m/load", "x", 400);
        assertStatus(of + "m/load", "[]", 200);
        assertStatus(of + "m/load", "{\"parameters\":{\"config\":\"{}\"}}", 400);
        assertStatus(of + "m/load", "{\"parameters\":{\"file:1/model.onnx\":\"\"}}", 400);
        assertStatus(of + "m/load", "{\"parameters\":{\"priority\":1}}", 200);
        assertStatus(of + "m/load", "{\"parameters\":{},\"parameters\":{}}", 400);
        assertStatus(of + "m/load", "{\"parameters\":\"config\"}", 400);
        assertStatus(of + "m/unload", "{\"parameters\":{\"unload_dependents\":true}}", 200);
        assertStatus(INFER, ROW, 503);
        assertThat(server.get("/v2/models/m/ready").status()).isEqualTo(503);
        assertThat(server.get("/v2/health/ready").status()).isEqualTo(503);
        assertThat(server.get("/v2/health/live").status()).isEqualTo(200);
        assertThat(index("{}").get(0).path("state").asString()).isEqualTo("UNAVAILABLE");
        assertThat(index("{\"ready\":true}")).isEmpty();
        assertStatus(of + "m/unload", "", 200);
        assertStatus(of + "m/load", "", 200);
        assertThat(index("").get(0).path("state").asString()).isEqualTo("READY");
        assertStatus(INFER, ROW, 200);
        assertStatus("/v2/repository/index", "[1]", 200);
        assertStatus("/v2/repository/index", "{", 400);
    }

    private static JsonNode index(String body) throws Exception {
        return server.post("/v2/repository/index", body, "application/json").json();
    }

    private static void assertStatus(String path, String body, int status) throws Exception {
        GivenServer.Answer answer = server.post(path, body, "application/json");
        assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(status);
        assertThat(status == 200 || answer.json().path("error").isString()).isTrue();
    }
}
