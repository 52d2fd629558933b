package dev.medley.hub.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.fleet.state.JobPhase;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.client.HubAwayException;
import dev.medley.hub.client.HubClient;
import dev.medley.hub.http.HubCaller.Role;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.OfferedMachine;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A hub over HTTP: who may do what, what is said about calls that are not in order, the client. */
@Tag("real")
class HubServerTest {
    @TempDir private static Path folder;
    private static final MemoryHub HUB = new MemoryHub();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static HubTokens tokens;
    private static HubServer server;

    @BeforeAll
    static void open() {
        tokens = HubTokens.in(folder);
        server =
                HubServer.open(
                        HUB,
                        tokens,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        null);
        HUB.submit(new Submission("a", "name: a", "/", "bob", SubmitTerms.NONE, 0, 0));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static HubClient client(Role role) {
        return new HubClient("127.0.0.1:" + server.port(), tokens.of(role), null);
    }

    @Test
    void shouldAnswerTheClientWhatTheHubAnswers() {
        HubClient admin = client(Role.ADMIN);
        long id =
                admin.submit(new Submission("b", "name: b", "/", "", SubmitTerms.NONE, 1, 2)).id();
        assertThat(admin.jobs()).isEqualTo(HUB.jobs());
        assertThat(admin.job(id)).isEqualTo(HUB.job(id));
        assertThat(admin.why(id)).isEqualTo(HUB.why(id));
        assertThat(admin.log(id, 4)).isEqualTo(HUB.log(id, 4));
        assertThat(admin.curve(id).loss()).isEmpty();
        assertThat(admin.pause(id).phase()).isEqualTo(JobPhase.PAUSED);
        assertThat(admin.resume(id).phase()).isEqualTo(JobPhase.QUEUED);
        assertThat(admin.cancel(id).phase()).isEqualTo(JobPhase.CANCELLED);
        AgentReport report =
                new AgentReport(
                        "m1",
                        "here",
                        "build",
                        new OfferedMachine("fast", 2, 10, 1 << 30, "", false, -1),
                        List.of(),
                        -1);
        assertThat(client(Role.AGENT).report(report).serve()).isNotEmpty();
        assertThat(admin.fleet()).isEqualTo(HUB.fleet());
        assertThat(admin.timeline(0)).isEqualTo(HUB.timeline(0));
    }

    @Test
    void shouldSayTheHubsSentenceAndWhereNoHubAnswers() {
        assertThatThrownBy(() -> client(Role.ADMIN).job(99))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no job 99");
        assertThatThrownBy(() -> new HubClient("127.0.0.1:1", "t", null).jobs())
                .isInstanceOf(HubAwayException.class)
                .hasMessageContaining("no hub answers at 127.0.0.1:1");
    }

    @Test
    void shouldLetNobodyInWithoutATokenOrTheRight() throws Exception {
        assertRefused(send("GET", "/api/v1/jobs", "", ""), 401, "a token is needed");
        assertRefused(send("GET", "/api/v1/jobs", "guess", ""), 401, "this token is nobody's");
        String viewer = tokens.of(Role.VIEWER);
        assertThat(send("GET", "/api/v1/jobs", viewer, "").statusCode()).isEqualTo(200);
        assertRefused(
                send("POST", "/api/v1/jobs/1/cancel", viewer, ""),
                403,
                "has role VIEWER, and this needs USER");
        assertRefused(send("POST", "/api/v1/agents", viewer, "{}"), 403, "this needs AGENT");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(folder.resolve("tokens.json"))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldSayWhatIsWrongWithABodyAndEndNothingElse() throws Exception {
        String admin = tokens.of(Role.ADMIN);
        for (String body :
                List.of(
                        "",
                        "[1]",
                        "{\"nam\":1}",
                        "{",
                        "[".repeat(100_000),
                        "{\"name\":null,\"jobFile\":\"\"}")) {
            assertRefused(
                    send("POST", "/api/v1/jobs", admin, body), 400, "the body is no Submission");
        }
        String large = "{\"jobFile\":\"" + "a".repeat(2 << 20) + "\"}";
        assertThat(send("POST", "/api/v1/jobs", admin, large).statusCode()).isEqualTo(413);
        assertRefused(send("GET", "/api/v1/timeline?since=x", admin, ""), 400, "give a number");
        assertThat(send("GET", "/api/v1/nothing", admin, "").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/api/v1/jobs", admin, "").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldDescribeEveryRouteAndServeThePageWithoutAToken() throws Exception {
        JsonNode api = Json.parse(send("GET", "/api/openapi.json", "", "").body(), JsonNode.class);
        for (HubRoute route : new HubRoutes(HUB).all()) {
            assertThat(
                            api.get("paths")
                                    .get(route.path())
                                    .has(route.method().toLowerCase(java.util.Locale.ROOT)))
                    .as(route.path())
                    .isTrue();
        }
        for (String page : List.of("/", "/page/hub.js", "/page/hub.css", "/page/report.css")) {
            HttpResponse<String> answer = send("GET", page, "", "");
            assertThat(answer.statusCode()).as(page).isEqualTo(200);
            assertThat(answer.headers().firstValue("content-security-policy")).isPresent();
        }
        assertThat(send("GET", "/metrics", "", "").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/metrics", tokens.of(Role.VIEWER), "").body())
                .contains("medley_fleet_jobs{phase=\"queued\"}", "medley_fleet_cost_total 0.0");
    }

    @Test
    void shouldNeverBePlainWhereOthersReachIt() {
        InetSocketAddress all = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(() -> HubServer.open(HUB, tokens, all, null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("give --credentials");
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String words) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode said = Json.parse(answer.body(), JsonNode.class);
        assertThat(said.get("error").asString())
                .contains(words)
                .doesNotContain("dev.medley", "tools.jackson");
    }

    private static HttpResponse<String> send(String method, String path, String token, String body)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .method(method, BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
