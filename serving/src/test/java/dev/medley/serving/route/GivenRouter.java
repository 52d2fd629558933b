package dev.medley.serving.route;

import dev.medley.base.time.Clock;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Opens a router on loopback, and asks it. */
final class GivenRouter implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RouterServer server;
    private final List<String> said;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    private GivenRouter(RouterServer server, List<String> said) {
        this.server = server;
        this.said = said;
    }

    static GivenRouter to(String... servers) {
        return of(new ReplicaSource(String.join(",", servers), null), ServerLimits.usual());
    }

    static GivenRouter ofFile(Path file) {
        return of(new ReplicaSource(null, file), ServerLimits.usual());
    }

    static GivenRouter of(ReplicaSource source, ServerLimits limits) {
        return of(new RouterServer.To(source, null, null, null), limits);
    }

    static GivenRouter of(RouterServer.To to, ServerLimits limits) {
        List<String> said = new CopyOnWriteArrayList<>();
        RouterServer server =
                RouterServer.open(
                        to,
                        ServeSocket.onLoopback(0),
                        ServeCallers.ALL,
                        limits,
                        Clock.system(),
                        said::add);
        return new GivenRouter(server, said);
    }

    int port() {
        return server.address().getPort();
    }

    List<String> said() {
        return said;
    }

    HttpResponse<String> get(String path) throws Exception {
        return send(path, null, "");
    }

    HttpResponse<String> post(String path, String body) throws Exception {
        return send(path, body, "application/json");
    }

    HttpResponse<String> send(String path, @Nullable String body, String type) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                        .timeout(PATIENCE);
        if (body != null) {
            request.header("Content-Type", type).POST(BodyPublishers.ofString(body));
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    ReplicaView view(String name) {
        return server.servers().stream()
                .filter(view -> view.server().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static void await(String what, BooleanSupplier holds) {
        Clock clock = Clock.system();
        long untilNs = clock.nowNs() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            if (clock.nowNs() > untilNs) {
                throw new AssertionError("not in a minute: " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
