package dev.medley.serving.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.http.GivenServer;
import dev.medley.serving.http.ModelServer;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeObservers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.registry.Registry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of runs, or of a model that is loaded anew, lie on a mount that is away: who reads them
 * waits for ever. Rows are answered all the same, and the server ends.
 */
@Tag("real")
@Timeout(180)
class HangingPlaceTest {
    /** More than Armeria has threads for what blocks. */
    private static final int MANY = 260;

    @TempDir private Path place;
    private final CountDownLatch back = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newHttpClient();
    private ModelHost host;
    private ModelServer server;
    private volatile boolean isLoadingHung;
    private String rows;
    private RunFolder run;

    @BeforeEach
    void start() throws Exception {
        GivenTable table = GivenTable.in(place, "hours", new ModelSpec.Linear());
        table.trained(null).close();
        rows = GivenServer.request(table.arrays());
        run = RunFolder.create(place.resolve("runs"), "churn", Clock.system());
        RunIdentity identity =
                new RunIdentity("churn", 1000, "medley train", "0.1", RunProcess.self());
        RecorderOptions options = RecorderOptions.defaults();
        try (RunRecorder recorder =
                RunRecorder.start(run, identity, Map.of(), options, Clock.system())) {
            recorder.finish(RunStatus.DONE, "done", null);
        }
        host = new ModelHost(ServeLimits.usual(), clock());
        host.load(new ModelName("m", "1"), place.resolve("model"));
        server =
                ModelServer.open(
                        host,
                        ServeSocket.onLoopback(0),
                        ServeCallers.ALL,
                        ServeObservers.USUAL,
                        ServerLimits.usual(),
                        new MlflowReading(
                                place.resolve("runs"),
                                each -> hung(),
                                new Registry(place.resolve("registry"), Clock.system())),
                        Clock.system());
    }

    /** Loading looks at the clock, and waits there as it would for a file. */
    private Clock clock() {
        Clock system = Clock.system();
        return new Clock() {
            @Override
            public long nowNs() {
                if (isLoadingHung && Thread.currentThread().getName().equals("medley-slow")) {
                    hung();
                }
                return system.nowNs();
            }

            @Override
            public long wallMillis() {
                return system.wallMillis();
            }
        };
    }

    private Map<String, String> hung() {
        try {
            back.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Map.of();
    }

    @AfterEach
    void stop() {
        back.countDown();
        server.close();
        host.close();
    }

    @Test
    void shouldAnswerRowsWhileRunsCannotBeRead() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(asked(get("/api/2.0/mlflow/runs/get?run_id=" + run.name())));
        }
        HttpResponse<?> refused =
                CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new))
                        .thenApply(first -> (HttpResponse<?>) first)
                        .get();
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat("" + refused.body()).contains("TEMPORARILY_UNAVAILABLE", "wait already");
        requireRows();
        back.countDown();
        long whole = asked.stream().filter(each -> each.join().statusCode() == 200).count();
        assertThat(whole).isPositive();
    }

    @Test
    void shouldAnswerRowsAndEndWhileAModelCannotBeRead() throws Exception {
        isLoadingHung = true;
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(asked(post("/v2/repository/models/m/load", "{}")));
        }
        HttpResponse<?> refused =
                CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new))
                        .thenApply(first -> (HttpResponse<?>) first)
                        .get();
        assertThat(refused.statusCode()).as("" + refused.body()).isEqualTo(503);
        requireRows();
        host.close();
    }

    private void requireRows() throws Exception {
        HttpResponse<String> answer =
                asked(post("/v2/models/m/infer", rows + " ".repeat(100_000))).get();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private HttpRequest.Builder get(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path))
                .timeout(Duration.ofMinutes(2));
    }

    private HttpRequest.Builder post(String path, String body) {
        return get(path).POST(BodyPublishers.ofString(body));
    }

    private CompletableFuture<HttpResponse<String>> asked(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }
}
