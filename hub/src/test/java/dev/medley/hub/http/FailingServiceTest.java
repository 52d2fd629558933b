package dev.medley.hub.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.hub.service.HubService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers hear where the hub's own machine fails it. */
@Tag("real")
class FailingServiceTest {
    @Test
    void shouldSayThatTheDiskIsFullAndThatANameIsNone(@TempDir Path folder) throws Exception {
        HubService failing =
                (HubService)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {HubService.class},
                                (proxy, method, args) -> {
                                    if (method.getName().equals("jobs")) {
                                        throw new UncheckedIOException(
                                                "the journal cannot be written (No space left)",
                                                new IOException("No space left"));
                                    }
                                    return Path.of("a\u0000b");
                                });
        HubTokens tokens = HubTokens.open(folder);
        try (HubServer server = HubServer.open(failing, tokens, HubSocket.onLoopback(0))) {
            HttpResponse<String> jobs = get(server, "/api/v1/jobs", tokens);
            assertThat(jobs.statusCode()).isEqualTo(503);
            assertThat(jobs.body())
                    .contains(
                            "the hub's disk fails it: the journal cannot be written (No space"
                                    + " left)");
            HttpResponse<String> fleet = get(server, "/api/v1/fleet", tokens);
            assertThat(fleet.statusCode()).isEqualTo(400);
            assertThat(fleet.body()).contains("'a?b' cannot be the name of a file");
        }
    }

    private static HttpResponse<String> get(HubServer server, String path, HubTokens tokens)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server.root() + path))
                        .header("Authorization", "Bearer " + tokens.of(Role.ADMIN))
                        .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
