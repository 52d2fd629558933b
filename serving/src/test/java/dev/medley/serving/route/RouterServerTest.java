package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.protocol.UnaryGrpcClient;
import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.http.GivenServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A router in front of real servers answers as they do, and loses nothing when one ends. */
@Tag("real")
@Timeout(180)
class RouterServerTest {
    private static final String INFER = "/v2/models/m/infer";
    private static final String READY = "/inference.GRPCInferenceService/ServerReady";

    @TempDir private static Path folder;
    private static String request;

    @BeforeAll
    static void train() throws Exception {
        GivenTable table = GivenTable.in(folder, "hours", new ModelSpec.Linear());
        table.trained(null).close();
        request = GivenServer.request(table.arrays());
    }

    private static GivenServer server() {
        return GivenServer.of(folder.resolve("model"), "libtorch");
    }

    private static String at(GivenServer server) {
        return "127.0.0.1:" + server.port();
    }

    @Test
    void shouldAnswerAsTheServersDo() throws Exception {
        try (GivenServer one = server();
                GivenServer other = server();
                GivenRouter router = GivenRouter.to(at(one), at(other))) {
            HttpResponse<String> answer = router.post(INFER, request);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .isEqualTo(one.post(INFER, request, "application/json").body());
            assertThat(router.get("/v2/models/m").body()).isEqualTo(one.get("/v2/models/m").body());
            assertThat(router.post(INFER, "{").statusCode()).isEqualTo(400);
            assertThat(router.post("/v2/models/n/infer", request).statusCode()).isEqualTo(404);
            UnaryGrpcClient grpc =
                    new UnaryGrpcClient(WebClient.of("h2c://127.0.0.1:" + router.port()));
            assertThat(grpc.execute(READY, new byte[0]).join()).containsExactly(8, 1);
            assertThat(router.get("/v2/health/ready").statusCode()).isEqualTo(200);
            JsonNode load = Json.parse(router.get("/v2/health/load").body(), JsonNode.class);
            assertThat(load.path("state").asString("")).isEqualTo("ready");
            assertThat(router.get("/route").body()).contains("\"failed\":0", at(one), at(other));
            assertThat(router.get("/metrics").body())
                    .contains("medley_route_state{server=\"" + at(one) + "\",state=\"ready\"} 1\n");
        }
    }

    @Test
    void shouldLoseNothingWhenAServerEnds() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        List<String> failed = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        GivenServer ends = server();
        String ending = at(ends);
        try (GivenServer stays = server();
                GivenRouter router = GivenRouter.to(ending, at(stays))) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                callers.add(
                        CompletableFuture.runAsync(
                                () -> ask(router, isOver, answered, failed), threads));
            }
            GivenRouter.await("both answer", () -> router.view(ending).answers() > 20);
            int before = answered.get();
            ends.close();
            GivenRouter.await("it is out", () -> router.view(ending).state() == ReplicaState.OUT);
            GivenRouter.await("others go on", () -> answered.get() > before + 100);
            isOver.set(true);
            callers.forEach(CompletableFuture::join);
            assertThat(failed).isEmpty();
            assertThat(router.said())
                    .anyMatch(words -> words.startsWith(ending + " is about to stop"));
        } finally {
            isOver.set(true);
            threads.shutdown();
        }
    }

    private static void ask(
            GivenRouter router, AtomicBoolean isOver, AtomicInteger answered, List<String> failed) {
        while (!isOver.get()) {
            String words;
            try {
                HttpResponse<String> answer = router.post(INFER, request);
                words = answer.statusCode() == 200 ? "" : answer.body();
            } catch (Exception e) {
                words = e.toString();
            }
            if (words.isEmpty()) {
                answered.incrementAndGet();
            } else {
                synchronized (failed) {
                    failed.add(words);
                }
            }
        }
    }
}
