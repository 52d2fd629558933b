package dev.medley.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.medley.base.Json;
import dev.medley.kubernetes.resource.ProgressStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What Kubeflow Trainer is told, and by whose word. */
@Tag("unit")
class TrainerSinkTest {
    private static final ProgressStatus PROGRESS =
            new ProgressStatus(
                    "run", 12L, 120L, "42 %", "0.5000", "99.5", 60L, 3, null, null, "2026-11-27");

    @TempDir Path folder;

    @Test
    void shouldPostFiguresWithTheTokenThatIsThereNow() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/status",
                exchange -> {
                    said.add(exchange.getRequestHeaders().getFirst("Authorization"));
                    said.add(
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
                    exchange.sendResponseHeaders(said.size() > 2 ? 403 : 200, -1);
                    exchange.close();
                });
        server.start();
        try {
            Path token = Files.writeString(folder.resolve("token"), "t1\n");
            TrainerSink sink =
                    TrainerSink.of(
                                    Map.of(
                                            TrainerSink.URL,
                                            "http://127.0.0.1:%d/status"
                                                    .formatted(server.getAddress().getPort()),
                                            TrainerSink.TOKEN,
                                            token.toString()))
                            .orElseThrow();
            sink.tell(PROGRESS);
            assertThat(said.get(0)).isEqualTo("Bearer t1");
            JsonNode status = Json.parse(said.get(1), JsonNode.class).path("trainerStatus");
            assertThat(status.path("progressPercentage").asInt()).isEqualTo(42);
            assertThat(status.path("estimatedRemainingSeconds").asInt()).isEqualTo(60);
            assertThat(status.path("metrics").path(0).path("name").asString()).isEqualTo("loss");
            assertThat(status.path("metrics").path(0).path("value").asString()).isEqualTo("0.5000");
            Files.writeString(token, "t2");
            assertThatThrownBy(() -> sink.tell(PROGRESS)).hasMessageContaining("403");
            assertThat(said.get(2)).isEqualTo("Bearer t2");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void shouldBeSilentWhereTrainerIsNot() {
        assertThat(TrainerSink.of(Map.of())).isEmpty();
    }
}
