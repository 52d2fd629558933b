package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.protocol.UnaryGrpcClient;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.oidc.OidcCallers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers are let in by tokens of an issuer that are sound, and by no others. */
@SuppressWarnings("JavaUtilDate") // The library's times.
@Tag("real")
class OidcTest {
    private static final String STATIC = "0123456789abcdef0123";

    @TempDir private Path folder;
    private final AtomicLong aheadMillis = new AtomicLong();
    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return Clock.system().nowNs();
                }

                @Override
                public long wallMillis() {
                    return Clock.system().wallMillis() + aheadMillis.get();
                }
            };
    private GivenIssuer issuer;
    private ModelHost host;
    private ModelServer server;

    @BeforeEach
    void begin() throws Exception {
        issuer = new GivenIssuer();
        CallerTokens tokens =
                CallerTokens.read(
                        Files.writeString(folder.resolve("tokens"), "bob " + STATIC + "\n"));
        host = new ModelHost(ServeLimits.usual(), clock);
        server =
                ModelServer.open(
                        host,
                        ServeSocket.onLoopback(0),
                        new ServeCallers(
                                tokens, OidcCallers.of(issuer.url(), "medley", clock), 1e6),
                        ServerLimits.usual(),
                        clock);
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        host.close();
        issuer.close();
    }

    private HttpResponse<String> get(String token) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:" + server.address().getPort() + "/v2"))
                        .header("Authorization", "Bearer " + token)
                        .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private JWTClaimsSet.Builder claims() {
        return issuer.claims(clock.wallMillis());
    }

    private void refused(String token, String why) throws Exception {
        HttpResponse<String> answer = get(token);
        assertThat(answer.statusCode()).as(why).isEqualTo(401);
        assertThat(answer.body()).startsWith("{\"error\":\"this token does not do: ");
    }

    @Test
    void shouldLetInWhoHasASoundToken() throws Exception {
        String token = issuer.token(claims().build());
        for (int i = 0; i < 3; i++) {
            assertThat(get(token).statusCode()).isEqualTo(200);
        }
        assertThat(get(STATIC).statusCode()).isEqualTo(200);
        assertThat(issuer.asked()).isEqualTo(1);
        WebClient known =
                WebClient.builder("h2c://127.0.0.1:" + server.address().getPort())
                        .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + token)
                        .build();
        String live = "/inference.GRPCInferenceService/ServerLive";
        assertThat(new UnaryGrpcClient(known).execute(live, new byte[0]).join()).isNotEmpty();
    }

    @Test
    void shouldRefuseAllOthers() throws Exception {
        long now = clock.wallMillis();
        refused(issuer.token(claims().expirationTime(new Date(now - 120_000)).build()), "expired");
        refused(issuer.token(claims().expirationTime(null).build()), "without an end");
        refused(issuer.token(claims().notBeforeTime(new Date(now + 120_000)).build()), "too early");
        refused(issuer.token(claims().audience("others").build()), "another audience");
        refused(issuer.token(claims().audience((String) null).build()), "no audience");
        refused(issuer.token(claims().issuer("https://other").build()), "another issuer");
        refused(issuer.token(claims().subject(null).build()), "nobody");
        refused(issuer.token(claims().subject(" ").build()), "a blank name");
        refused(GivenIssuer.plain(claims().build()), "no signature");
        refused(issuer.confused(claims().build()), "the public key as a secret");
        refused(GivenIssuer.token(claims().build(), GivenIssuer.rsa("first")), "another key");
        refused(GivenIssuer.token(claims().build(), GivenIssuer.rsa("third")), "an unknown key");
        String token = issuer.token(claims().build());
        refused(token.substring(0, token.length() - 8) + "AAAAAAAA", "a changed signature");
        refused("no.token.atall", "no token");
        refused("x".repeat(15_000), "no token, at length");
        assertThat(get(token).statusCode()).isEqualTo(200);
    }

    /** Whoever sends tokens that do not do is not worth a signature each, nor all of our time. */
    @Test
    void shouldLookAtSoManyTokensAlone() throws Exception {
        OidcCallers callers = OidcCallers.of(issuer.url(), "medley", clock);
        String bad = GivenIssuer.token(claims().build(), GivenIssuer.rsa("first"));
        long atMillis = clock.wallMillis();
        int looked = 0;
        int late = 0;
        for (int i = 0; i < 20_000; i++) {
            try {
                callers.caller(i % 2 == 0 ? bad : "no.token." + i);
            } catch (ServingFailure e) {
                looked += e.kind() == Kind.UNAUTHENTICATED ? 1 : 0;
                late += e.kind() == Kind.TOO_MANY ? 1 : 0;
            }
        }
        long tookMillis = clock.wallMillis() - atMillis;
        long fresh = 10_000L - late;
        assertThat(looked + late).isEqualTo(20_000);
        assertThat(fresh).isLessThanOrEqualTo(501 + tookMillis / 2);
    }

    @Test
    void shouldForgetATokenWhenItsTimeIsOver() throws Exception {
        String token = issuer.token(claims().build());
        assertThat(get(token).statusCode()).isEqualTo(200);
        aheadMillis.set(700_000);
        refused(token, "expired");
        assertThat(get(token).body()).contains("its time is over");
    }

    @Test
    void shouldFollowNewKeys() throws Exception {
        String before = issuer.token(claims().build());
        assertThat(get(before).statusCode()).isEqualTo(200);
        issuer.rotate();
        assertThat(get(issuer.token(claims().build())).statusCode()).isEqualTo(200);
        assertThat(issuer.asked()).isEqualTo(2);
    }

    @Test
    void shouldSayWhatIsNoIssuer() throws Exception {
        assertThatThrownBy(() -> OidcCallers.of("http://example.com", null, clock))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("give the https URL");
        assertThatThrownBy(() -> OidcCallers.of("not a url", null, clock))
                .hasMessageContaining("is no URL");
        assertThatThrownBy(() -> OidcCallers.of(issuer.url() + "/", null, clock))
                .hasMessageContaining("calls itself");
        String url = issuer.url();
        issuer.close();
        assertThatThrownBy(() -> OidcCallers.of(url, null, clock))
                .hasMessageContaining("cannot be asked");
    }
}
