package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.http.GivenServer;
import dev.medley.serving.http.ModelServer;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServeTls;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.route.GivenAuthority.Pem;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A router speaks TLS with servers whose certificate is theirs, and with no others. */
@Tag("real")
@Timeout(180)
class RouterTlsTest {
    private static final String HERE = "ip:127.0.0.1";

    @TempDir private static Path folder;
    private static GivenAuthority ours;
    private static GivenAuthority others;
    private static Pem good;
    private static ModelHost host;
    private static String request;

    @BeforeAll
    static void begin() throws Exception {
        GivenTable table = GivenTable.in(folder, "hours", new ModelSpec.Linear());
        table.trained(null).close();
        request = GivenServer.request(table.arrays());
        host = new ModelHost(ServeLimits.usual(), Clock.system());
        host.load(new ModelName("m", "1"), folder.resolve("model"));
        ours = new GivenAuthority(folder, "ours");
        others = new GivenAuthority(folder, "others");
        good = ours.issue("good", HERE, "-1d");
    }

    @AfterAll
    static void end() {
        host.close();
    }

    @Test
    void shouldAskServersWithACertificateOfTheAuthority() throws Exception {
        try (ModelServer server = server(good, null);
                GivenRouter router = router(https(server), ours, null)) {
            HttpResponse<String> answer = router.post("/v2/models/m/infer", request);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(router.get("/route").body()).contains(https(server));
        }
    }

    @Test
    void shouldSayWhyAServerIsNotTrusted() throws Exception {
        refused(good, others, "TLS fails", "not known", "--to-ca");
        refused(good, null, "TLS fails", "not known", "--to-ca");
        refused(ours.issue("elsewhere", "ip:127.0.0.9", "-1d"), ours, "TLS fails", "127.0.0.1");
        refused(ours.issue("old", HERE, "-20d"), ours, "TLS fails", "expired");
        refused(ours.issue("early", HERE, "+2d"), ours, "TLS fails", "not yet valid");
    }

    private static void refused(Pem shown, @Nullable GivenAuthority known, String... why)
            throws Exception {
        try (ModelServer server = server(shown, null)) {
            assertThatThrownBy(() -> router(https(server), known, null).close())
                    .isInstanceOf(ConfigException.class)
                    .satisfies(e -> assertThat(e.getMessage()).contains(why));
        }
    }

    @Test
    void shouldShowItsOwnCertificateToServersThatWantOne() throws Exception {
        Pem router = others.issue("router", "dns:router", "-1d");
        try (ModelServer strict = server(good, others.certificate())) {
            assertThatThrownBy(() -> router(https(strict), ours, null).close())
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("TLS fails");
            try (GivenRouter known = router(https(strict), ours, router)) {
                HttpResponse<String> answer = known.post("/v2/models/m/infer", request);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
        }
    }

    @Test
    void shouldSayWhereTlsAndNoneMeet() throws Exception {
        try (ModelServer tls = server(good, null);
                ModelServer plain =
                        ModelServer.open(
                                host,
                                ServeSocket.onLoopback(0),
                                ServerLimits.usual(),
                                Clock.system())) {
            String https = https(plain);
            assertThatThrownBy(() -> router(https, ours, null).close())
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("TLS");
            String http = https(tls).replace("https://", "");
            assertThatThrownBy(() -> router(http, ours, null).close())
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("https://");
        }
    }

    @Test
    void shouldRefuseFilesThatAreNone() throws Exception {
        Path none = folder.resolve("none.pem");
        Path key = good.key();
        ReplicaSource to = new ReplicaSource("127.0.0.1:9", null);
        assertRefused("--to-ca " + none, () -> to(to, none, null, null));
        assertRefused("--to-ca " + key, () -> to(to, key, null, null));
        assertRefused("give both", () -> to(to, null, good.chain(), null));
        assertRefused("--to-key " + none, () -> to(to, null, good.chain(), none));
        assertRefused("are no certificate and its key", () -> to(to, null, key, key));
    }

    private static void to(
            ReplicaSource to, @Nullable Path ca, @Nullable Path chain, @Nullable Path key) {
        GivenRouter.of(new RouterServer.To(to, ca, chain, key), ServerLimits.usual()).close();
    }

    private static void assertRefused(String words, Runnable made) {
        assertThatThrownBy(made::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(words);
    }

    private static ModelServer server(Pem shown, @Nullable Path clients) {
        ServeTls tls = new ServeTls(shown.chain(), shown.key(), clients);
        ServeSocket where = ServeSocket.at("127.0.0.1", 0, tls);
        return ModelServer.open(host, where, ServerLimits.usual(), Clock.system());
    }

    private static String https(ModelServer server) {
        return "https://127.0.0.1:" + server.address().getPort();
    }

    private static GivenRouter router(
            String to, @Nullable GivenAuthority authority, @Nullable Pem own) {
        return GivenRouter.of(
                new RouterServer.To(
                        new ReplicaSource(to, null),
                        authority == null ? null : authority.certificate(),
                        own == null ? null : own.chain(),
                        own == null ? null : own.key()),
                ServerLimits.usual());
    }
}
