package dev.medley.tenant.door;

import static dev.medley.tenant.door.OpenDoor.A;
import static dev.medley.tenant.door.OpenDoor.B;
import static dev.medley.tenant.door.OpenDoor.OF_A;
import static dev.medley.tenant.door.OpenDoor.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import dev.medley.tenant.read.SharedTables;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies are read only of who proved by headers who he is, and all of them are bounded. */
@Tag("real")
@Timeout(600)
class DoorBodiesTest {
    private static final String QUERY = "/query";
    private static final int BYTES = 64_000;

    @TempDir private Path folder;

    private OpenDoor door;
    private SignedCalls calls;

    @BeforeEach
    void open() throws Exception {
        door = new OpenDoor(folder);
        calls = door.calls();
    }

    @AfterEach
    void close() throws Exception {
        door.close();
    }

    private HttpRequest signed(String target, String name, String secret) {
        String body = "x".repeat(BYTES);
        return calls.signed("POST", target, name, secret, body, Duration.ZERO).build();
    }

    @Test
    void shouldRefuseAStrangersBodyBeforeItComes() throws Exception {
        HttpRequest bare = HttpRequest.newBuilder(URI.create("http://x" + QUERY)).build();
        HttpRequest token =
                HttpRequest.newBuilder(URI.create("http://x" + QUERY))
                        .header("Authorization", "Bearer " + A + "x")
                        .build();
        for (HttpRequest each :
                List.of(bare, token, signed(QUERY, "acme", A + "x"), signed(QUERY, "nobody", A))) {
            assertThat(door.toBeginning(door.rawHead("POST", QUERY, each, BYTES)))
                    .contains(" 403 ");
        }
    }

    @Test
    void shouldReadNoBodyThatIsNoQuestion() throws Exception {
        for (String target : List.of(TABLE, "/", "/queries", "/query/")) {
            String head = door.rawHead("POST", target, signed(target, "acme", A), BYTES);
            assertThat(door.toBeginning(head)).as(target).contains(" 405 ");
        }
    }

    @Test
    void shouldReadTheQuestionOfWhoHasJustComeIntoThePolicies() throws Exception {
        door.quotas("concurrent: 3"); // Another file: what was looked at last is not in force.
        SharedTables.rested(folder.resolve("brown.key"), A + "y");
        String question = "{\"table\": \"customers\", \"aggregates\": [{\"count\": \"*\"}]}";
        HttpRequest.Builder asked =
                calls.signed("POST", QUERY, "brown", A + "y", question, Duration.ZERO);
        assertThat(calls.send(asked).body()).contains("\"rows\":[[1]]");
    }

    @Test
    void shouldBoundTheBodiesOfOneCallerAndAnswerOthers() throws Exception {
        String begun =
                door.rawHead("POST", QUERY, signed(QUERY, "acme", A), BYTES)
                        + "x".repeat(BYTES - 1);
        List<Socket> all = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) { // More than 2 MB.
                all.add(door.begun(begun));
            }
            Socket refused = null;
            while (refused == null && !Thread.interrupted()) {
                for (Socket each : all) {
                    refused = each.getInputStream().available() > 0 ? each : refused;
                }
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(refused).as("somebody is refused").isNotNull();
            byte[] answer = new byte[400];
            int bytes = refused.getInputStream().read(answer);
            assertThat(new String(answer, 0, bytes, StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 503 ");
            String question = "{\"table\": \"customers\", \"columns\": [\"id\"]}";
            assertThat(
                            calls.send(
                                            calls.signed(
                                                    "POST",
                                                    QUERY,
                                                    "brown",
                                                    B,
                                                    question,
                                                    Duration.ZERO))
                                    .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket each : all) {
                each.close();
            }
        }
        assertThat(calls.get(TABLE, "acme", A).body()).isEqualTo(OF_A);
    }

    @Test
    void shouldBoundAllBodiesThatAreHeldTogetherAndLetThemGo() {
        QuestionBodies bodies = new QuestionBodies(100, 250);
        List<HttpRequestWriter> writers = new ArrayList<>();
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (String caller : List.of("a", "b", "c")) {
            writers.add(com.linecorp.armeria.common.HttpRequest.streaming(HttpMethod.POST, QUERY));
            answers.add(status(bodies, writers.get(writers.size() - 1), caller));
            assertThat(writers.get(writers.size() - 1).tryWrite(HttpData.wrap(new byte[100])))
                    .isTrue();
        }
        assertThat(CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new)).join())
                .isEqualTo(503);
        writers.forEach(HttpRequestWriter::close);
        assertThat(answers.stream().map(CompletableFuture::join))
                .containsExactlyInAnyOrder(200, 200, 503);
        int status = 503;
        while (status == 503 && !Thread.interrupted()) { // Until those have been let go.
            HttpRequestWriter next =
                    com.linecorp.armeria.common.HttpRequest.streaming(HttpMethod.POST, QUERY);
            CompletableFuture<Integer> answer = status(bodies, next, "d");
            boolean unused = next.tryWrite(HttpData.wrap(new byte[100]));
            next.close();
            status = answer.join();
        }
        assertThat(status).isEqualTo(200);
    }

    private static CompletableFuture<Integer> status(
            QuestionBodies bodies, HttpRequestWriter request, String caller) {
        return bodies.answer(
                        request,
                        caller,
                        body -> HttpResponse.of(200),
                        failure -> HttpResponse.of(failure.status()))
                .aggregate()
                .thenApply(answer -> answer.status().code());
    }
}
