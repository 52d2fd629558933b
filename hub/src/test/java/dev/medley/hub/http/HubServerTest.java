package dev.medley.hub.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.net.InetAddress;
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

/** Who may do what, and what is said about requests that are not in order. */
@Tag("real")
class HubServerTest {
    @TempDir private static Path folder;
    private static final MemoryHub HUB = new MemoryHub();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static HubTokens tokens;
    private static HubServer server;
    private static String admin;
    private static String eve;
    private static String viewer;

    @BeforeAll
    static void open() {
        tokens = HubTokens.open(folder);
        admin = tokens.of(Role.ADMIN);
        server = HubServer.open(HUB, tokens, HubSocket.onLoopback(0));
        eve = tokens.add("eve", Role.USER); // A hub that runs takes it.
        viewer = tokens.add("wall", Role.VIEWER);
        HUB.submit(new Submission("a", "name: a", "/", "bob", SubmitTerms.NONE, 0, 0));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void shouldLetNobodyInWithoutAToken() throws Exception {
        assertRefused(send("GET", "/api/v1/jobs", "", ""), 401, "this needs a token");
        String guess = admin.substring(1) + (admin.charAt(0) == '0' ? '1' : '0');
        assertRefused(send("GET", "/api/v1/jobs", guess, ""), 401, "not known here");
        assertRefused(send("GET", "/api/v1/jobs", "ü", ""), 401, "not known here");
    }

    @Test
    void shouldSayWhichRightIsMissing() throws Exception {
        assertRefused(
                send("POST", "/api/v1/jobs", viewer, "{}"),
                403,
                "token 'wall' is of role viewer and may not submit jobs: that takes a token of"
                        + " role admin or user");
        assertRefused(
                send("GET", "/api/v1/fleet", tokens.of(Role.AGENT), ""),
                403,
                "may not look at the fleet");
        assertRefused(send("POST", "/api/v1/agents/a", eve, "{}"), 403, "may not offer a machine");
        assertRefused(
                send("POST", "/api/v1/jobs/1/cancel", eve, ""),
                403,
                "job 1 is of 'bob', and token 'eve' may cancel, pause and resume its own jobs");
    }

    @Test
    void shouldSubmitUnderTheNameOfTheToken() throws Exception {
        HttpResponse<String> answer =
                send("POST", "/api/v1/jobs", eve, "{\"jobFile\":\"name: b\",\"user\":\"bob\"}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode job = Json.parse(answer.body(), JsonNode.class);
        assertThat(job.at("/submission/user").asString()).isEqualTo("eve");
        String own = "/api/v1/jobs/" + job.get("id").asLong();
        assertThat(send("POST", own + "/cancel", eve, "").statusCode()).isEqualTo(200);
        assertRefused(send("POST", own + "/cancel", eve, ""), 409, "is CANCELLED");
    }

    @Test
    void shouldSayWhatIsWrongWithABody() throws Exception {
        assertBody("{\"jobfile\":\"a\"}", "no field 'jobfile': did you mean 'jobFile'?");
        assertBody(
                "{\"jobFile\":\"a\",\"terms\":{\"deadline\":1}}",
                "no field 'terms.deadline': did you mean 'deadlineEpochS'?");
        assertBody("{\"jobFile\":\"a\",\"minMachines\":\"two\"}", "minMachines");
        assertBody("{\"jobFile\":\"a\",\"minMachines\":1.5}", "minMachines");
        assertBody("{\"jobFile\":\"a\",\"name\":null}", "name");
        assertBody("{\"jobFile\":\"a\",\"terms\":[]}", "terms");
        assertBody("{\"jobFile\":\"a\",\"jobFile\":\"b\"}", "jobFile");
        assertBody("{\"jobFile\":\"a\"} x", "no JSON");
        assertBody("[1]", "no JSON object");
        assertBody("", "no body");
        assertBody("[".repeat(100_000), "no JSON");
        assertBody("{\"terms\":" + "{\"a\":".repeat(50_000), "no JSON");
        assertBody(
                "{\"jobFile\":\"a\",\"terms\":{\"priority\":1e3}}",
                "terms.priority: Cannot coerce");
        assertBody("{\"jobFile\":\"a\",\"terms\":{\"budget\":NaN}}", "token 'NaN'");
        assertBody("{\"a\":".repeat(5000), "nesting depth");
        assertBody("{}", "the job has no jobFile");
    }

    private static void assertBody(String body, String words) throws Exception {
        HttpResponse<String> answer = send("POST", "/api/v1/jobs", admin, body);
        assertRefused(answer, 400, words);
        assertThat(answer.body())
                .doesNotContain("dev.medley", "tools.jackson", "java.", "Json", "Coerc", "Stream");
        assertThat(answer.body().length()).isLessThan(500);
    }

    @Test
    void shouldBoundBodies() throws Exception {
        String job = "{\"jobFile\":\"" + "a".repeat(1 << 20) + "\"}";
        assertRefused(send("POST", "/api/v1/jobs", admin, job), 413, "1 MiB is the most");
        String fits = "{\"jobFile\":\"" + "a".repeat((1 << 20) - 100) + "\"}";
        assertThat(send("POST", "/api/v1/jobs", admin, fits).statusCode()).isEqualTo(200);
        String report = "{\"name\":\"" + "a".repeat(70_000) + "\"}";
        assertRefused(send("POST", "/api/v1/agents/a", admin, report), 413, "64 KiB else");
    }

    @Test
    void shouldKnowItsPaths() throws Exception {
        assertRefused(send("GET", "/api/v1/jobs/99", admin, ""), 404, "there is no job 99");
        assertRefused(send("POST", "/api/v1/jobs/99/pause", admin, ""), 404, "no job 99");
        assertRefused(send("GET", "/api/v1/jobs/one", admin, ""), 404, "'one' is no number");
        assertRefused(send("GET", "/api/v1/job", admin, ""), 404, "nothing at this path");
        assertRefused(send("DELETE", "/api/v1/jobs", admin, ""), 405, "not for that method");
        assertRefused(
                send("GET", "/api/v1/timeline?sinse=1", admin, ""),
                400,
                "no parameter 'sinse': did you mean 'since'?");
        assertRefused(send("GET", "/api/v1/timeline?since=NaN", admin, ""), 400, "give a number");
    }

    @Test
    void shouldOpenThePageOnceByALink() throws Exception {
        String link = server.pageLink("127.0.0.1");
        String code = link.substring(link.indexOf("#code=") + "#code=".length());
        String body = "{\"code\":\"" + code + "\"}";
        HttpResponse<String> answer = send("POST", "/api/v1/login", "", body);
        String token = Json.parse(answer.body(), JsonNode.class).get("token").asString();
        assertThat(send("GET", "/api/v1/fleet", token, "").statusCode()).isEqualTo(200);
        assertRefused(send("POST", "/api/v1/login", "", body), 401, "was used before");
    }

    @Test
    void shouldForgetAPageWhoseOwnerHasNoTokenAnyMore() throws Exception {
        Path file = folder.resolve(HubTokens.FILE);
        String before = Files.readString(file);
        String mallory = tokens.add("mallory", Role.VIEWER);
        HttpResponse<String> link = send("POST", "/api/v1/links", mallory, "");
        String path = Json.parse(link.body(), JsonNode.class).get("path").asString();
        String body = "{\"code\":\"" + path.substring("/#code=".length()) + "\"}";
        HttpResponse<String> entrance = send("POST", "/api/v1/login", "", body);
        String page = Json.parse(entrance.body(), JsonNode.class).get("token").asString();
        assertThat(send("GET", "/api/v1/fleet", page, "").statusCode()).isEqualTo(200);
        Files.writeString(file, before);
        assertRefused(send("GET", "/api/v1/fleet", mallory, ""), 401, "not known here");
        assertRefused(send("GET", "/api/v1/fleet", page, ""), 401, "not known here");
    }

    @Test
    void shouldSayThatACallerIsOfAnotherBuild() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server.root() + "/api/v1/agents/a"))
                        .header("Authorization", "Bearer " + admin)
                        .header("Medley-Build", "0.0.9")
                        .POST(BodyPublishers.ofString("{\"speed\":1}"))
                        .build();
        assertRefused(
                HTTP.send(request, BodyHandlers.ofString()),
                400,
                "and you are 0.0.9: use one build on all machines");
    }

    @Test
    void shouldServeFiguresAndPages() throws Exception {
        assertRefused(send("GET", "/metrics", "", ""), 401, "this needs a token");
        assertRefused(send("GET", "/metrics", tokens.of(Role.AGENT), ""), 403, "may not look");
        HttpResponse<String> figures = send("GET", "/metrics", viewer, "");
        assertThat(figures.headers().firstValue("content-type").orElse(""))
                .startsWith("text/plain")
                .contains("version=0.0.4");
        assertThat(figures.body()).contains("medley_fleet_jobs{phase=\"queued\"}");
        HttpResponse<String> page = send("GET", "/", "", "");
        assertThat(page.headers().firstValue("content-security-policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'");
        HttpResponse<String> document = send("GET", "/api/openapi.json", "", "");
        assertThat(Json.parse(document.body(), JsonNode.class).get("openapi").asString())
                .isEqualTo("3.1.0");
    }

    @Test
    void shouldKeepTokensForItsUserAlone() throws Exception {
        Path file = folder.resolve(HubTokens.FILE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Path other = Files.createDirectory(folder.resolve("other"));
        HubTokens.open(other);
        Files.setPosixFilePermissions(
                other.resolve(HubTokens.FILE), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> HubTokens.open(other))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("chmod 600");
        assertThatThrownBy(() -> tokens.add("eve", Role.ADMIN))
                .hasMessageContaining("a token for 'eve' already");
    }

    @Test
    void shouldNeverBePlainWhereOthersReachIt() throws Exception {
        InetAddress all = InetAddress.getByName("0.0.0.0");
        assertThatThrownBy(() -> new HubSocket(all, 0, null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("needs --credentials");
    }

    @Test
    void shouldNameItsBuildAndForbidCaches() throws Exception {
        HttpResponse<String> answer = send("GET", "/api/v1/jobs", viewer, "");
        assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
        assertThat(answer.headers().firstValue("x-content-type-options")).contains("nosniff");
        assertThat(answer.headers().firstValue("medley-build")).isPresent();
        assertThat(answer.headers().firstValue("server")).isEmpty();
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String words) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode said = Json.parse(answer.body(), JsonNode.class);
        assertThat(List.copyOf(said.propertyNames())).containsExactly("error");
        assertThat(said.get("error").asString()).contains(words);
    }

    private static HttpResponse<String> send(String method, String path, String token, String body)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.root() + path))
                        .method(method, BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
