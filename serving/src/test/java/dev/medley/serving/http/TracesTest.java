package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.explain.ExplainLimits;
import dev.medley.serving.trace.ServeTraces;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans of requests come to a collector, in the trace of who asked. */
@Tag("real")
class TracesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";
    private static final String CANARY = "canary7134";

    @TempDir private Path folder;

    /** A span as it came. */
    private record Seen(String trace, String parent, String name, String whole) {}

    /** The messages in a field of a message. */
    private static List<ByteString> field(ByteString message, int number) throws IOException {
        List<ByteString> found = new ArrayList<>();
        CodedInputStream in = message.newCodedInput();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            boolean isIt =
                    WireFormat.getTagFieldNumber(tag) == number
                            && WireFormat.getTagWireType(tag)
                                    == WireFormat.WIRETYPE_LENGTH_DELIMITED;
            if (isIt) {
                found.add(in.readBytes());
            } else {
                in.skipField(tag);
            }
        }
        return found;
    }

    private static List<Seen> spans(ByteString request) throws IOException {
        List<Seen> spans = new ArrayList<>();
        for (ByteString resource : field(request, 1)) {
            for (ByteString scope : field(resource, 2)) {
                for (ByteString span : field(scope, 2)) {
                    spans.add(
                            new Seen(
                                    hex(field(span, 1)),
                                    hex(field(span, 4)),
                                    field(span, 5).get(0).toStringUtf8(),
                                    request.toString(
                                            java.nio.charset.StandardCharsets.ISO_8859_1)));
                }
            }
        }
        return spans;
    }

    private static String hex(List<ByteString> bytes) {
        return bytes.isEmpty() ? "" : HexFormat.of().formatHex(bytes.get(0).toByteArray());
    }

    @Test
    void shouldSendSpansInTheTraceOfWhoAsks() throws Exception {
        List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
        HttpServer collector =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext(
                "/v1/traces",
                exchange -> {
                    assertThat(exchange.getRequestHeaders().getFirst("X-Key")).isEqualTo("a b");
                    seen.addAll(spans(ByteString.readFrom(exchange.getRequestBody())));
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        collector.start();
        String endpoint = "http://127.0.0.1:" + collector.getAddress().getPort() + "/";
        GivenTable.in(folder, "income", new ModelSpec.Linear()).trained(null).close();
        ServeTraces traces =
                ServeTraces.of(
                        Map.of(
                                "OTEL_EXPORTER_OTLP_ENDPOINT",
                                endpoint,
                                "OTEL_EXPORTER_OTLP_HEADERS",
                                "X-Key=a%20b"));
        try (GivenServer server =
                GivenServer.observed(
                        folder.resolve("model"),
                        new ServeObservers(ExplainLimits.USUAL, null, traces))) {
            String row =
                    "{\"age\":30,\"size\":5,\"member\":true,\"since\":null,\"colour\":\"%s\",\"town\":\"t\"}"
                            .formatted(CANARY);
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(server.at("/v1/models/m:rows"))
                            .header("traceparent", "00-" + TRACE + "-" + PARENT + "-01")
                            .POST(BodyPublishers.ofString(row));
            assertThat(server.send(request).status()).isEqualTo(200);
            assertThat(server.get("/v2/models/none").status()).isEqualTo(404);
            assertThat(server.get("/v2/health/live").status()).isEqualTo(200);
        }
        traces.close();
        collector.stop(0);
        assertThat(seen)
                .extracting(Seen::name)
                .containsExactlyInAnyOrder(
                        "POST /v1/models/{model}:rows", "GET /v2/models/{model}");
        Seen of = seen.stream().filter(s -> s.name().startsWith("POST")).findFirst().orElseThrow();
        assertThat(of.trace()).isEqualTo(TRACE);
        assertThat(of.parent()).isEqualTo(PARENT);
        assertThat(of.whole())
                .contains("service.name", "medley", "medley.queue_ms", "medley.compute_ms")
                .doesNotContain(CANARY);
    }

    @Test
    void shouldDoNothingWhereNothingIsSaid() throws Exception {
        assertThat(ServeTraces.of(Map.of())).isNull();
        assertThat(
                        ServeTraces.of(
                                Map.of(
                                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                                        "http://127.0.0.1:1",
                                        "OTEL_SDK_DISABLED",
                                        "true")))
                .isNull();
        assertThatThrownBy(() -> ServeTraces.of(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "nowhere")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("OTEL_EXPORTER_OTLP_ENDPOINT=nowhere");
        Map<String, String> grpc =
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://127.0.0.1:1",
                        "OTEL_EXPORTER_OTLP_PROTOCOL",
                        "grpc");
        assertThatThrownBy(() -> ServeTraces.of(grpc)).hasMessageContaining("http/protobuf");
        Map<String, String> sampler =
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://127.0.0.1:1",
                        "OTEL_TRACES_SAMPLER",
                        "sometimes");
        assertThatThrownBy(() -> ServeTraces.of(sampler)).hasMessageContaining("always_on");
    }
}
