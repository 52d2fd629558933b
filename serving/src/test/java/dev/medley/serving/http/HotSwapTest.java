package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A model is replaced while it answers: no request fails, and none is of another version. */
@Tag("real")
class HotSwapTest {
    private static final int SWAPS = 25;

    @TempDir private Path folder;

    /** Measured once more, it would take from those that answer, and find the same. */
    @Test
    void shouldGiveAVersionOfTheSameFormItsEngineWithoutATrial() throws Exception {
        Path linear = Files.createDirectories(folder.resolve("linear"));
        Path trees = Files.createDirectories(folder.resolve("trees"));
        GivenTable.in(linear, "hours", new ModelSpec.Linear()).trained(null).close();
        GivenTable.in(trees, "hours", new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting()))
                .trained(null)
                .close();
        try (GivenServer server = GivenServer.of(linear.resolve("model"), null)) {
            ModelHost host = server.host();
            String measured = host.entry("m").versions().get(0).engine();
            assertThat(measured).contains("us for");
            for (String version : List.of("2", "3")) {
                ServedModel next = host.load(new ModelName("m", version), linear.resolve("model"));
                assertThat(next.engine()).isEqualTo(measured + "; so it was for version 1");
            }
            ServedModel other = host.load(new ModelName("m", "4"), trees.resolve("model"));
            assertThat(other.engine()).contains("computes").doesNotContain("; so it was");
        }
    }

    @Test
    void shouldAnswerEachRequestByTheVersionThatItNames() throws Exception {
        Path first = Files.createDirectories(folder.resolve("a"));
        Path second = Files.createDirectories(folder.resolve("b"));
        GivenTable table = GivenTable.in(first, "hours", new ModelSpec.Linear());
        table.trained(null).close();
        GivenTable.in(second, "hours", new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting()))
                .trained(null)
                .close();
        String request = GivenServer.request(table.arrays());
        Map<String, String> answers = new ConcurrentHashMap<>();
        List<String> failed = new ArrayList<>();
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (GivenServer server = GivenServer.of(first.resolve("model"), "libtorch")) {
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(
                        CompletableFuture.supplyAsync(
                                () -> ask(server, request, isOver, answers, failed), threads));
            }
            for (int swap = 2; swap < SWAPS + 2; swap++) {
                Path model = (swap % 2 == 0 ? second : first).resolve("model");
                server.host().load(new ModelName("m", "" + swap), model);
            }
            isOver.set(true);
            int asked = 0;
            for (CompletableFuture<Integer> caller : callers) {
                asked += caller.join();
            }
            assertThat(failed).isEmpty();
            assertThat(asked).isGreaterThanOrEqualTo(4);
        } finally {
            threads.shutdown();
        }
        List<String> odd =
                answers.entrySet().stream()
                        .filter(e -> Integer.parseInt(e.getKey()) % 2 == 1)
                        .map(Map.Entry::getValue)
                        .distinct()
                        .toList();
        List<String> even =
                answers.entrySet().stream()
                        .filter(e -> Integer.parseInt(e.getKey()) % 2 == 0)
                        .map(Map.Entry::getValue)
                        .distinct()
                        .toList();
        assertThat(odd).hasSizeLessThanOrEqualTo(1);
        assertThat(even).hasSizeLessThanOrEqualTo(1);
        assertThat(odd).isNotEqualTo(even);
    }

    private static int ask(
            GivenServer server,
            String request,
            AtomicBoolean isOver,
            Map<String, String> answers,
            List<String> failed) {
        int asked = 0;
        try {
            do {
                GivenServer.Answer answer =
                        server.post("/v2/models/m/infer", request, "application/json");
                asked++;
                JsonNode json = answer.json();
                String data = json.path("outputs").path(0).path("data").toString();
                String version = json.path("model_version").asString("");
                String before = answers.putIfAbsent(version, data);
                boolean isSame = before == null || before.equals(data);
                if (answer.status() != 200 || !isSame) {
                    synchronized (failed) {
                        failed.add(answer.body());
                    }
                }
            } while (!isOver.get());
        } catch (Exception e) {
            synchronized (failed) {
                failed.add(e.toString());
            }
        }
        return asked;
    }
}
