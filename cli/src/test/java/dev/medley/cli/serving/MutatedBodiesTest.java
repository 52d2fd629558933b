package dev.medley.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.protocol.UnaryGrpcClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.grpc.protocol.ArmeriaStatusException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.cli.Pipeline;
import dev.medley.cli.Said;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Whatever a body holds, a server answers in time, with an answer or {@code {"error"}}, and never
 * says that it failed itself. {@code -Dmedley.bodies=100000} for a long look.
 */
@Tag("property")
class MutatedBodiesTest {
    private static final int BODIES = Integer.getInteger("medley.bodies", 600);
    private static final int AT_ONCE = 24;
    private static final List<Integer> OUR_FAULT = List.of(2, 13);

    @TempDir private static Path folder;
    private static RunServer server;
    private static ClientFactory clients;
    private static WebClient web;
    private static UnaryGrpcClient grpc;

    /**
     * A body that is answered.
     *
     * @param type its Content-Type
     * @param jsonBytes how much of it is JSON, of one with arrays behind; else -1
     * @param every of how many bodies one is of this kind: what reads files takes longer
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Given(String path, String type, byte[] body, int jsonBytes, int every) {}

    @BeforeAll
    static void open() throws Exception {
        Files.writeString(folder.resolve("t.csv"), table());
        Files.writeString(folder.resolve("h.csv"), hours(60));
        Files.writeString(folder.resolve("x.txt"), "To be or not to be, that is it. ".repeat(60));
        trained("t", "{train: t.csv, label: sold}", "{family: mlp, hidden: [8]}");
        trained(
                "h",
                "{train: h.csv, series: {time: hour, by: place, look_back: 6, horizon: 2}}",
                "linear");
        trained(
                "x",
                "{train: x.txt, text: {context: 8}}",
                "{family: transformer, layers: 1, width: 8, heads: 1}");
        server =
                RunServer.of(
                        Map.of(
                                "t",
                                folder.resolve("t/runs"),
                                "h",
                                folder.resolve("h/runs"),
                                "x",
                                folder.resolve("x/runs")));
        clients = ClientFactory.builder().idleTimeout(Duration.ofSeconds(60)).build();
        web =
                WebClient.builder("http://127.0.0.1:" + server.port())
                        .factory(clients)
                        .responseTimeout(Duration.ofSeconds(60))
                        .build();
        grpc =
                new UnaryGrpcClient(
                        WebClient.builder("h2c://127.0.0.1:" + server.port())
                                .factory(clients)
                                .responseTimeout(Duration.ofSeconds(60))
                                .build());
    }

    private static void trained(String name, String data, String model) throws Exception {
        Path own = Files.createDirectories(folder.resolve(name));
        Pipeline here = new Pipeline(own);
        String whole = data.replace("train: ", "train: " + folder + "/");
        String job =
                here.job(
                        "job.yaml",
                        "data: %s\nmodel: %s\ntrain: {steps: 10, batch: 8}\ncluster: {workers: 1}\n"
                                .formatted(whole, model));
        Said said = here.medley("train", job);
        assertThat(said.exitCode()).as(said.err()).isZero();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
            clients.close();
        }
    }

    private static String table() {
        StringBuilder text = new StringBuilder("shop,size,since,at,paid,sold\n");
        for (int i = 0; i < 60; i++) {
            int size = (i * 37 + i / 7) % 50;
            text.append(
                    "s%d,%s,2024-%02d-%02d,%02d:30,%s,%s\n"
                            .formatted(
                                    i % 5,
                                    i % 11 == 0 ? "" : "" + size,
                                    1 + i % 12,
                                    1 + i % 28,
                                    i % 24,
                                    i % 3 == 0,
                                    size < 25 ? "no" : "yes"));
        }
        return text.toString();
    }

    private static String hours(int count) {
        StringBuilder text = new StringBuilder("hour,place,level\n");
        for (int hour = 0; hour < count; hour++) {
            text.append(
                    "2024-01-%02d %02d:00:00,bay,%.3f\n"
                            .formatted(1 + hour / 24, hour % 24, Math.sin(hour)));
        }
        return text.toString();
    }

    private static List<Given> given() throws IOException {
        String row =
                "{\"shop\":\"s1\",\"size\":12.5,\"since\":\"2024-02-03\",\"at\":\"10:30\",\"paid\":true}";
        String infer =
                "{\"id\":\"a\",\"inputs\":["
                        + input("shop", "BYTES", "\"s1\"")
                        + ","
                        + input("size", "FP64", "12.5")
                        + ","
                        + input("since", "BYTES", "\"2024-02-03\"")
                        + ","
                        + input("at", "FP64", "37800")
                        + ","
                        + input("paid", "BOOL", "true")
                        + "],\"outputs\":[{\"name\":\"probability\",\"parameters\":{\"classification\":1}}]}";
        String json = "application/json";
        List<Given> all = new ArrayList<>();
        all.add(of("/v2/models/t/infer", json, infer, 1));
        all.add(binary());
        all.add(of("/v1/models/t:predict", json, "{\"instances\":[" + row + "]}", 1));
        all.add(of("/v1/models/t:rows", json, "[" + row + "," + row + "]", 1));
        all.add(of("/v1/models/t:rows", json, "{\"rows\":[" + row + "]}", 1));
        all.add(of("/v1/models/t:rows", "application/x-ndjson", row + "\n" + row + "\n", 1));
        all.add(
                of(
                        "/v1/models/t:rows",
                        "text/csv",
                        table().lines().limit(4).collect(Collectors.joining("\n")),
                        1));
        all.add(
                of(
                        "/v2/models/x/generate",
                        json,
                        "{\"text_input\":\"To"
                                + " be\",\"parameters\":{\"max_tokens\":9,\"temperature\":0.5,"
                                + "\"top_k\":3,\"top_p\":0.9,\"seed\":4,\"stop\":[\"x\"]}}",
                        3));
        all.add(
                of(
                        "/v2/models/x/generate_stream",
                        json,
                        "{\"text_input\":\"To be\",\"max_tokens\":5}",
                        3));
        all.add(
                of(
                        "/v2/models/x/infer",
                        json,
                        "{\"inputs\":["
                                + input("tokens", "INT64", "1,2,3,4,5,6,7,8")
                                        .replace("[1,1]", "[1,8]")
                                + "]}",
                        1));
        all.add(of("/v2/repository/index", json, "{\"ready\":true}", 1));
        all.add(new Given("ModelInfer", "grpc", message(), -1, 1));
        all.addAll(ofSeries());
        return all;
    }

    private static List<Given> ofSeries() {
        List<Given> all = new ArrayList<>();
        String json = "application/json";
        String steps = hours(8);
        all.add(of("/v1/models/h:rows", "text/csv", steps, 12));
        StringBuilder lines = new StringBuilder();
        for (String line : steps.lines().skip(1).toList()) {
            String[] cells = line.split(",", -1);
            lines.append(
                    "{\"hour\":\"%s\",\"place\":\"%s\",\"level\":%s}\n"
                            .formatted((Object[]) cells));
        }
        all.add(of("/v1/models/h:rows", "application/x-ndjson", lines.toString(), 12));
        all.add(
                of(
                        "/v1/models/h:rows",
                        json,
                        "[" + lines.toString().strip().replace("\n", ",") + "]",
                        12));
        return all;
    }

    private static Given of(String path, String type, String body, int every) {
        return new Given(path, type, body.getBytes(StandardCharsets.UTF_8), -1, every);
    }

    private static String input(String name, String type, String data) {
        return "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[1,1],\"data\":[%s]}"
                .formatted(name, type, data);
    }

    /** The table's row with its columns in bytes behind the JSON. */
    private static Given binary() {
        String head =
                "{\"inputs\":["
                        + packed("shop", "BYTES", 6)
                        + ","
                        + packed("size", "FP64", 8)
                        + ","
                        + packed("since", "BYTES", 14)
                        + ","
                        + packed("at", "FP64", 8)
                        + ","
                        + packed("paid", "BOOL", 1)
                        + "],\"parameters\":{\"binary_data_output\":true}}";
        byte[] json = head.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(json.length + 37).order(ByteOrder.LITTLE_ENDIAN);
        body.put(json).putInt(2).put((byte) 's').put((byte) '1').putDouble(12.5);
        body.putInt(10).put("2024-02-03".getBytes(StandardCharsets.US_ASCII)).putDouble(37800);
        body.put((byte) 1);
        return new Given("/v2/models/t/infer", "", body.array(), json.length, 1);
    }

    private static String packed(String name, String type, int bytes) {
        return ("{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[1,1],"
                        + "\"parameters\":{\"binary_data_size\":%d}}")
                .formatted(name, type, bytes);
    }

    private static byte[] message() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeString(1, "t");
        for (String name : List.of("shop", "size", "since", "at", "paid")) {
            boolean isText = name.equals("shop") || name.equals("since");
            ByteArrayOutputStream own = new ByteArrayOutputStream();
            CodedOutputStream part = CodedOutputStream.newInstance(own);
            part.writeString(1, name);
            part.writeString(2, isText ? "BYTES" : "FP64");
            part.writeInt64(3, 1);
            part.writeInt64(3, 1);
            ByteArrayOutputStream contents = new ByteArrayOutputStream();
            CodedOutputStream values = CodedOutputStream.newInstance(contents);
            if (isText) {
                values.writeByteArray(
                        8,
                        (name.equals("shop") ? "s1" : "2024-02-03")
                                .getBytes(StandardCharsets.UTF_8));
            } else {
                values.writeDouble(7, 1);
            }
            values.flush();
            part.writeBytes(5, ByteString.copyFrom(contents.toByteArray()));
            part.flush();
            out.writeBytes(5, ByteString.copyFrom(own.toByteArray()));
        }
        out.flush();
        return bytes.toByteArray();
    }

    @Test
    void aServerShouldAnswerWhateverABodyHolds() throws Exception {
        List<Given> given = given();
        for (Given each : given) {
            String said = asked(each, each.body(), each.type(), each.jsonBytes()).join();
            assertThat(said).as("%s %s as it is", each.path(), each.type()).isIn("200", "0");
        }
        Map<String, Integer> counts = new TreeMap<>();
        for (int seed = 0; seed < BODIES; ) {
            List<CompletableFuture<String>> all = new ArrayList<>();
            List<String> keys = new ArrayList<>();
            for (; seed < BODIES && all.size() < AT_ONCE; seed++) {
                RandomGenerator random = Seeds.generator(seed);
                Given base = given.get(random.nextInt(given.size()));
                while (random.nextInt(base.every()) != 0) {
                    base = given.get(random.nextInt(given.size()));
                }
                byte[] other = given.get(random.nextInt(given.size())).body();
                byte[] body = Mutations.of(base.body(), other, random);
                String type = random.nextInt(20) == 0 ? "text/csv" : base.type();
                int jsonBytes =
                        random.nextInt(10) == 0
                                ? random.nextInt(body.length + 3)
                                : base.jsonBytes();
                String key = base.path() + " " + type;
                String words =
                        "seed %d, %s, body (base64) %s"
                                .formatted(seed, key, Base64.getEncoder().encodeToString(body));
                keys.add(key);
                all.add(
                        asked(base, body, type, jsonBytes)
                                .handle(
                                        (said, thrown) ->
                                                thrown == null ? said : fail(words, thrown)));
            }
            for (int i = 0; i < all.size(); i++) {
                counts.merge(keys.get(i) + " " + all.get(i).join(), 1, Integer::sum);
            }
        }
        counts.forEach((key, count) -> System.err.println(count + "  " + key));
    }

    /** The status; exceptional where it is not one that may be. */
    private static CompletableFuture<String> asked(
            Given base, byte[] body, String type, int jsonBytes) {
        if (base.type().equals("grpc")) {
            return grpc.execute("/inference.GRPCInferenceService/ModelInfer", body)
                    .thenApply(answer -> "0")
                    .exceptionally(MutatedBodiesTest::code);
        }
        var headers = RequestHeaders.builder(HttpMethod.POST, base.path());
        if (!type.isEmpty()) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, type);
        }
        if (jsonBytes >= 0) {
            headers.set("inference-header-content-length", "" + jsonBytes);
        }
        return web.execute(headers.build(), HttpData.wrap(body))
                .aggregate()
                .thenApply(answer -> status(base, answer));
    }

    private static String code(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (cause instanceof ArmeriaStatusException known && !OUR_FAULT.contains(known.getCode())) {
            return "" + known.getCode();
        }
        throw new CompletionException(cause);
    }

    private static String status(Given base, AggregatedHttpResponse answer) {
        int status = answer.status().code();
        assertThat(status).as(answer.contentUtf8()).isLessThan(500);
        String type = String.valueOf(answer.contentType());
        if (status != 200) {
            assertThat(json(answer).path("error").isString()).as(answer.contentUtf8()).isTrue();
        } else if (type.contains("application/json") && base.jsonBytes() < 0) {
            assertThat(json(answer).isMissingNode()).isFalse();
        }
        return "" + status;
    }

    private static JsonNode json(AggregatedHttpResponse answer) {
        try {
            return Json.parse(answer.content().array(), JsonNode.class);
        } catch (JacksonException e) {
            return fail("%s is no JSON".formatted(Arrays.toString(answer.content().array())), e);
        }
    }
}
