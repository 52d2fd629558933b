package dev.medley.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.medley.kubernetes.client.ClusterAccess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("unit")
@Timeout(60)
class PodLeaseTest {
    private static final PodLease.Terms SHORT =
            new PodLease.Terms(
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1));

    /** A client that tries each request for minutes would notice it when another has the lease. */
    @Test
    void shouldEndSoonWhereTheApiServerDoesNotAnswer() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        try (SilentServer server = new SilentServer();
                ClusterAccess cluster = server.access();
                PodLease unused =
                        PodLease.take(
                                cluster,
                                new JobAddress("team", "churn"),
                                "u-1",
                                "pod/u-2",
                                said -> {},
                                lost::countDown,
                                SHORT)) {
            server.fallSilent();
            assertThat(lost.await(50, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldEndBeforeAnotherMayBegin() {
        assertThatThrownBy(
                        () ->
                                new PodLease.Terms(
                                        Duration.ofSeconds(90),
                                        Duration.ofSeconds(75),
                                        Duration.ofSeconds(2),
                                        Duration.ofSeconds(10)))
                .hasMessageContaining("may end after PT1M37S, and another begin after PT1M30S");
        assertThat(PodLease.Terms.USUAL.duration()).isEqualTo(Duration.ofSeconds(90));
    }

    /** Keeps one lease, until it takes requests and answers none. */
    private static final class SilentServer implements AutoCloseable {
        private final HttpServer server;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final CountDownLatch closed = new CountDownLatch(1);
        private byte[] lease = {};
        private volatile boolean isSilent;

        SilentServer() throws IOException {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
        }

        ClusterAccess access() {
            Config config =
                    new ConfigBuilder(Config.empty())
                            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                            .build();
            return new ClusterAccess(new KubernetesClientBuilder().withConfig(config).build());
        }

        void fallSilent() {
            isSilent = true;
        }

        private void answer(HttpExchange exchange) throws IOException {
            if (isSilent) {
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                exchange.close();
                return;
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            byte[] said;
            synchronized (this) {
                boolean isWhole = !exchange.getRequestMethod().equals("PATCH") && body.length > 0;
                lease = isWhole ? body : lease;
                said = lease;
            }
            int code = said.length > 0 ? 200 : 404;
            said =
                    code == 200
                            ? said
                            : "{\"kind\":\"Status\",\"code\":404}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, said.length);
            exchange.getResponseBody().write(said);
            exchange.close();
        }

        @Override
        public void close() {
            closed.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
