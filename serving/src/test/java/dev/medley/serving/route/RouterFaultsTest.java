package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.serving.http.ServerLimits;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a router does when servers break off, hang, refuse, or are none. */
@Tag("real")
@Timeout(180)
class RouterFaultsTest {
    private static final String LIVES = "/v2/health/ready";
    private static final String LOAD = "/v2/health/load";
    private static final String INFER = "/v2/models/m/infer";
    private static final String UNLOAD = "/v2/repository/models/m/unload";
    private static final String IDLE =
            "200 {\"state\":\"ready\",\"in_flight\":0,\"latency_us\":1,\"models\":{}}";
    private static final String BUSY =
            "200 {\"state\":\"ready\",\"in_flight\":9,\"latency_us\":90000,\"models\":{}}";

    @TempDir private Path folder;

    /** The first is idle by its own word, so that requests go there. */
    private static ForeignServer first(String infer) throws Exception {
        return new ForeignServer(Map.of(LOAD, IDLE, INFER, infer, UNLOAD, infer));
    }

    private static ForeignServer second() throws Exception {
        return new ForeignServer(Map.of(LOAD, BUSY, INFER, "200 second", UNLOAD, "200 second"));
    }

    @Test
    void shouldAskAnotherOnceWhereAnAnswerIsLost() throws Exception {
        try (ForeignServer breaks = first(ForeignServer.BREAKS);
                ForeignServer answers = second();
                GivenRouter router = GivenRouter.to(breaks.address(), answers.address())) {
            HttpResponse<String> answer = router.post(INFER, "{}");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("second");
            assertThat(breaks.posts()).isEqualTo(1);
            assertThat(router.get("/route").body()).contains("\"retried\":1");
            answers.answers(INFER, ForeignServer.BREAKS);
            answer = router.post(INFER, "{}");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("it was the second server that failed it");
            assertThat(answer.headers().firstValue("retry-after")).isPresent();
        }
    }

    @Test
    void shouldSendWhatChangesSomethingOnce() throws Exception {
        try (ForeignServer breaks = first(ForeignServer.BREAKS);
                ForeignServer answers = second();
                GivenRouter router = GivenRouter.to(breaks.address(), answers.address())) {
            HttpResponse<String> answer = router.post(UNLOAD, "{}");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("changes something");
            assertThat(breaks.posts()).isEqualTo(1);
            assertThat(answers.posts()).isZero();
        }
    }

    @Test
    void shouldAskAnotherWhereOneIsNotAbleNow() throws Exception {
        try (ForeignServer away = first("503 later");
                ForeignServer answers = second();
                GivenRouter router = GivenRouter.to(away.address(), answers.address())) {
            assertThat(router.post(INFER, "{}").body()).isEqualTo("second");
            answers.answers(INFER, "503 not here");
            assertThat(router.post(INFER, "{}").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void shouldPassOnWhatIsTheCallersFault() throws Exception {
        try (ForeignServer refuses = first("400 {\"error\":\"no\"}");
                ForeignServer answers = second();
                GivenRouter router = GivenRouter.to(refuses.address(), answers.address())) {
            assertThat(router.post(INFER, "{}").statusCode()).isEqualTo(400);
            assertThat(answers.posts()).isZero();
        }
    }

    @Test
    void shouldTakeRequestsFromAServerThatHangs() throws Exception {
        try (ForeignServer hangs = first(ForeignServer.HANGS);
                ForeignServer answers = second();
                GivenRouter router = GivenRouter.to(hangs.address(), answers.address())) {
            hangs.answers(LOAD, ForeignServer.HANGS);
            assertThat(router.post(INFER, "{}").body()).isEqualTo("second");
            assertThat(router.view(hangs.address()).state()).isEqualTo(ReplicaState.OUT);
            hangs.answers(LOAD, IDLE);
            GivenRouter.await(
                    "it is back", () -> router.view(hangs.address()).state() == ReplicaState.READY);
        }
    }

    @Test
    void shouldGiveAStreamPieceByPiece() throws Exception {
        String path = "/v2/models/m/generate_stream";
        Map<String, String> answers = new HashMap<>(Map.of(LOAD, IDLE));
        answers.put(path, ForeignServer.STREAMS);
        try (ForeignServer server = new ForeignServer(answers);
                GivenRouter router = GivenRouter.to(server.address())) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.port() + path))
                            .POST(BodyPublishers.ofString("{}"))
                            .build();
            HttpClient client = HttpClient.newHttpClient();
            try (BufferedReader events =
                    new BufferedReader(
                            new InputStreamReader(
                                    client.send(request, BodyHandlers.ofInputStream()).body(),
                                    StandardCharsets.UTF_8))) {
                assertThat(events.readLine()).contains("first");
                server.goOn(); // It waits until the first event is there.
                assertThat(events.lines().filter(line -> !line.isEmpty()))
                        .singleElement()
                        .asString()
                        .contains("second");
            }
            server.answers(path, ForeignServer.HALF);
            String half = client.send(request, BodyHandlers.ofString()).body();
            assertThat(half.lines().filter(line -> !line.isEmpty()))
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("data: {\"error\":\"" + server.address() + " did not go on: ");
            server.answers(path, "400 {\"error\":\"no\"}");
            HttpResponse<String> refused = client.send(request, BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).isEqualTo("{\"error\":\"no\"}");
        }
    }

    @Test
    void shouldEndARequestWhoseTimeIsOver() throws Exception {
        ServerLimits usual = ServerLimits.usual();
        ServerLimits hasty =
                new ServerLimits(
                        usual.bodyBytes(),
                        usual.heldBytes(),
                        10,
                        Duration.ofMillis(300),
                        usual.idle(),
                        usual.drain());
        try (ForeignServer hangs = first(ForeignServer.HANGS);
                GivenRouter router =
                        GivenRouter.of(new ReplicaSource(hangs.address(), null), hasty)) {
            HttpResponse<String> answer = router.post(INFER, "{}");
            assertThat(answer.statusCode()).isEqualTo(504);
            assertThat(answer.body()).contains("time for this request");
        }
    }

    @Test
    void shouldUseServersOfOthersByWhatItSees() throws Exception {
        try (ForeignServer one =
                        new ForeignServer(Map.of(LIVES, "200 {}", INFER, "200 of the first"));
                ForeignServer other =
                        new ForeignServer(Map.of(LIVES, "503 {}", INFER, "200 of the second"));
                GivenRouter router = GivenRouter.to(one.address(), other.address())) {
            assertThat(router.post(INFER, "{}").body()).isEqualTo("of the first");
            other.answers(LIVES, "200 {}");
            one.answers(LIVES, "503 {}");
            GivenRouter.await(
                    "they change",
                    () ->
                            router.view(one.address()).state() == ReplicaState.NOT_READY
                                    && router.view(other.address()).state() == ReplicaState.READY);
            assertThat(router.post(INFER, "{}").body()).isEqualTo("of the second");
        }
    }

    @Test
    void shouldSayWhoIsMissing() throws Exception {
        try (ForeignServer goes = first("200 x");
                GivenRouter router = GivenRouter.to(goes.address())) {
            assertThat(router.post(INFER, "{}").statusCode()).isEqualTo(200);
            goes.close();
            GivenRouter.await(
                    "it is out", () -> router.view(goes.address()).why().contains("refused"));
            HttpResponse<String> answer = router.post(INFER, "{}");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("retry-after")).isPresent();
            assertThat(answer.body())
                    .contains("none of the 1 servers can answer", goes.address(), "refused");
            assertThat(router.get("/v2/health/ready").statusCode()).isEqualTo(503);
            assertThat(router.get("/v2/health/live").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseWhatServesNoModels() throws Exception {
        try (ForeignServer web = new ForeignServer(Map.of("/", "200 hello"))) {
            assertThatThrownBy(() -> GivenRouter.to(web.address()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("no server of the Open Inference Protocol")
                    .hasMessageContaining("404");
        }
    }

    @Test
    void shouldRefuseWhatClosesTheConnection() throws Exception {
        try (ForeignServer other = new ForeignServer(Map.of(LOAD, ForeignServer.BREAKS))) {
            assertThatThrownBy(() -> GivenRouter.to(other.address()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage(
                            "--to %s: it broke off the connection without an answer"
                                    + " (one that speaks TLS is named https://HOST:PORT)",
                            other.address());
        }
    }

    @Test
    void shouldHoldNoMoreThanItMay() throws Exception {
        ServerLimits usual = ServerLimits.usual();
        ServerLimits small =
                new ServerLimits(1000, 1500, 10, usual.request(), usual.idle(), usual.drain());
        try (ForeignServer server = first("200 " + "x".repeat(900));
                GivenRouter router =
                        GivenRouter.of(new ReplicaSource(server.address(), null), small)) {
            assertThat(router.post(INFER, "y".repeat(400)).statusCode()).isEqualTo(200);
            assertThat(router.post(INFER, "y".repeat(1001)).statusCode()).isEqualTo(413);
            HttpResponse<String> both = router.post(INFER, "y".repeat(900));
            assertThat(both.statusCode()).isEqualTo(503);
            assertThat(both.body()).contains("too many large requests");
            assertThat(router.post(INFER, "y".repeat(400)).statusCode()).isEqualTo(200);
            server.answers(INFER, "200 " + "x".repeat(1001));
            HttpResponse<String> large = router.post(INFER, "y");
            assertThat(large.body()).contains("the answer is too large");
        }
    }

    @Test
    void shouldFollowItsFile() throws Exception {
        try (ForeignServer one = first("200 first");
                ForeignServer other = second()) {
            Path file = Files.writeString(folder.resolve("servers"), one.address() + " # one\n");
            try (GivenRouter router = GivenRouter.ofFile(file)) {
                assertThat(router.post(INFER, "{}").body()).isEqualTo("first");
                Files.writeString(file, "nonsense\n");
                GivenRouter.await(
                        "it is said",
                        () -> router.said().stream().anyMatch(w -> w.contains("'nonsense'")));
                assertThat(router.post(INFER, "{}").body()).isEqualTo("first");
                Files.writeString(file, other.address() + "\n");
                GivenRouter.await(
                        "it is said",
                        () ->
                                router.said().stream()
                                        .anyMatch(w -> w.equals(other.address() + " answers")));
                assertThat(router.post(INFER, "{}").body()).isEqualTo("second");
            }
        }
    }
}
