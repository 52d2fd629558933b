package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers behind a router, one of which is killed and one ended under load: none fails. */
@Tag("real")
@Timeout(400)
class RoutedServersTest {
    private static final int CALLERS = 6;
    private static final Pattern PORT =
            Pattern.compile("(?:serving|routing) at http://[^:]+:(\\d+)");

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger answered = new AtomicInteger();
    private final List<String> failed = new ArrayList<>();

    private void train() throws Exception {
        StringBuilder table = new StringBuilder("size,kind\n");
        for (int i = 0; i < 200; i++) {
            table.append(i % 2 == 0 ? i : -i).append(i % 2 == 0 ? ",big\n" : ",small\n");
        }
        Files.writeString(folder.resolve("t.csv"), table);
        List<String> words =
                List.of(
                        "train",
                        "t.csv",
                        "--label",
                        "kind",
                        "-s",
                        "model=linear",
                        "-s",
                        "train.steps=20");
        try (MedleyProcess training = MedleyProcess.start(folder, words.toArray(String[]::new))) {
            assertThat(training.exitCode()).as(training.said()).isZero();
        }
    }

    private MedleyProcess server() throws Exception {
        return MedleyProcess.start(
                folder, "serve", "m=latest", "--port", "0", "--engine", "libtorch");
    }

    private static int port(MedleyProcess process) throws Exception {
        process.await("listening", () -> PORT.matcher(process.said()).find());
        Matcher said = PORT.matcher(process.said());
        assertThat(said.find()).isTrue();
        return Integer.parseInt(said.group(1));
    }

    private String post(int port) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/models/m:rows"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"size\": 7}"))
                        .build();
        return client.sendAsync(request, BodyHandlers.ofString())
                .handle(
                        (answer, thrown) ->
                                answer == null
                                        ? String.valueOf(thrown)
                                        : answer.statusCode() + " " + answer.body())
                .join();
    }

    private void ask(int port) {
        while (!isOver.get()) {
            String answer = post(port);
            if (answer.startsWith("200 ")) {
                answered.incrementAndGet();
            } else {
                synchronized (failed) {
                    failed.add(answer);
                }
            }
        }
    }

    @Test
    void shouldFailNoRequestWhenServersAreKilledAndEnd() throws Exception {
        train();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try (MedleyProcess killed = server();
                MedleyProcess ends = server();
                MedleyProcess stays = server()) {
            String to =
                    "127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d"
                            .formatted(port(killed), port(ends), port(stays));
            try (MedleyProcess router =
                    MedleyProcess.start(folder, "route", "--to", to, "--port", "0")) {
                int port = port(router);
                List<CompletableFuture<Void>> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(CompletableFuture.runAsync(() -> ask(port), threads));
                }
                more(router, 100);
                killed.killAll();
                more(router, 100);
                MedleyProcess.signal("TERM", ends.handle());
                assertThat(ends.exitCode()).as(ends.said()).isZero();
                more(router, 100);
                isOver.set(true);
                callers.forEach(CompletableFuture::join);
                assertThat(failed).isEmpty();
                assertThat(router.said()).contains("is about to stop");
                stays.killAll();
                router.await("out", () -> post(port).startsWith("503 "));
                assertThat(post(port)).contains("none of the 3 servers can answer");
                MedleyProcess.signal("TERM", router.handle());
                assertThat(router.exitCode()).as(router.said()).isZero();
            }
        } finally {
            isOver.set(true);
            threads.shutdown();
        }
    }

    private void more(MedleyProcess router, int count) throws Exception {
        int before = answered.get();
        router.await("answers", () -> answered.get() >= before + count);
    }
}
