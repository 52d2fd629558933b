package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.protocol.UnaryGrpcClient;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.grpc.protocol.ArmeriaStatusException;
import dev.medley.base.time.Clock;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServeLimits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers are let in by their tokens, and none more often than it may ask. */
@Tag("real")
class CallerGateTest {
    private static final String TOKEN = "0123456789abcdef0123";

    @TempDir private Path folder;

    private Path tokens(String text) throws Exception {
        return Files.writeString(folder.resolve("tokens"), text);
    }

    private static HttpResponse<String> get(ModelServer server, String path, String token)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldLetInWhoShowsAToken() throws Exception {
        CallerTokens tokens = CallerTokens.read(tokens("# who\nada " + TOKEN + "\n\n"));
        ServeCallers callers = new ServeCallers(tokens, Double.POSITIVE_INFINITY);
        try (ModelHost host = new ModelHost(ServeLimits.usual(), Clock.system());
                ModelServer server =
                        ModelServer.open(
                                host,
                                ServeSocket.onLoopback(0),
                                callers,
                                ServerLimits.usual(),
                                Clock.system())) {
            assertThat(get(server, "/v2/health/live", "").statusCode()).isEqualTo(200);
            assertThat(get(server, "/v2", TOKEN).statusCode()).isEqualTo(200);
            assertThat(get(server, "/", "").statusCode()).isEqualTo(200);
            assertThat(get(server, "/page/try.js", "").statusCode()).isEqualTo(200);
            assertThat(get(server, "/openapi.json", "").statusCode()).isEqualTo(401);
            assertThat(get(server, "/v2", "").statusCode()).isEqualTo(401);
            assertThat(get(server, "/v2", "x".repeat(5000)).statusCode()).isEqualTo(401);
            HttpResponse<String> wrong = get(server, "/v2", TOKEN + "4");
            assertThat(wrong.statusCode()).isEqualTo(401);
            assertThat(wrong.body()).isEqualTo("{\"error\":\"this token is not known here\"}");
            assertThat(get(server, "/nothing", "").statusCode()).isEqualTo(401);
            String at = "h2c://127.0.0.1:" + server.address().getPort();
            String path = "/inference.GRPCInferenceService/ServerLive";
            UnaryGrpcClient bare = new UnaryGrpcClient(WebClient.of(at));
            assertThatThrownBy(() -> bare.execute(path, new byte[0]).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            ArmeriaStatusException.class,
                            e -> assertThat(e.getCode()).isEqualTo(16));
            WebClient known =
                    WebClient.builder(at)
                            .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + TOKEN)
                            .build();
            assertThat(new UnaryGrpcClient(known).execute(path, new byte[0]).join()).isNotEmpty();
        }
    }

    @Test
    void shouldSendAwayWhoAsksTooOften() throws Exception {
        ServeCallers callers = new ServeCallers(null, 0.001);
        try (ModelHost host = new ModelHost(ServeLimits.usual(), Clock.system());
                ModelServer server =
                        ModelServer.open(
                                host,
                                ServeSocket.onLoopback(0),
                                callers,
                                ServerLimits.usual(),
                                Clock.system())) {
            assertThat(get(server, "/v2", "").statusCode()).isEqualTo(200);
            HttpResponse<String> second = get(server, "/v2", "");
            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(Long.parseLong(second.headers().firstValue("retry-after").orElseThrow()))
                    .isBetween(1L, 1000L);
            assertThat(get(server, "/v2/health/ready", "").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseFilesThatAreNone() throws Exception {
        assertThatThrownBy(() -> CallerTokens.read(folder.resolve("none")))
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> CallerTokens.read(tokens("# nobody\n")))
                .hasMessageContaining("nobody could ask");
        assertThatThrownBy(() -> CallerTokens.read(tokens("ada\n")))
                .hasMessageContaining("tokens:1: a line is a name and a token");
        assertThatThrownBy(() -> CallerTokens.read(tokens("\nada short\n")))
                .hasMessageContaining("tokens:2: the token of 'ada' has 5 characters");
        assertThatThrownBy(
                        () -> CallerTokens.read(tokens("ada " + TOKEN + "\nada " + TOKEN + "\n")))
                .hasMessageContaining("'ada' has two tokens");
    }
}
