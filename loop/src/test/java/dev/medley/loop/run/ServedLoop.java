package dev.medley.loop.run;

import dev.medley.base.time.Clock;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.follow.CanaryJudge;
import dev.medley.serving.follow.FailedLoads;
import dev.medley.serving.follow.FollowedAlias;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.http.ModelServer;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.TrafficDeeds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** Serves a loop's model as {@code medley serve registry:small@production} does. */
final class ServedLoop implements AutoCloseable {
    private static final Computed FOUND = new Computed(new float[1], 1, 0, 0, 1);

    private final Registry registry;
    private final ModelHost host;
    private final ModelServer server;
    private final CanaryJudge judge;
    private final FollowedAlias alias;
    private final HttpClient client = HttpClient.newHttpClient();

    ServedLoop(Path folder, int version) {
        registry = new Registry(folder, Clock.system());
        host = new ModelHost(new ServeLimits(BatchLimits.USUAL, "libtorch", 1, 1), Clock.system());
        ModelName first = new ModelName("small", "" + version);
        host.load(first, registry.model("small", version));
        server =
                ModelServer.open(
                        host, ServeSocket.onLoopback(0), ServerLimits.usual(), Clock.system());
        judge = new CanaryJudge(host, new TrafficDeeds(registry), Clock.system(), said -> {});
        alias =
                new FollowedAlias(
                        host,
                        registry,
                        judge,
                        new FailedLoads(Clock.system()),
                        said -> {},
                        Registry.PRODUCTION,
                        first);
        alias.look();
    }

    TrafficDeeds deeds() {
        return new TrafficDeeds(registry);
    }

    /** Does what the registry says, as is done each second. */
    void look() {
        alias.look();
    }

    String version() {
        return host.entry("small").version();
    }

    /** Asks for a row's answer. */
    String ask(String body) throws IOException, InterruptedException {
        URI at =
                URI.create(
                        "http://127.0.0.1:%d/v1/models/small:rows"
                                .formatted(server.address().getPort()));
        return client.send(
                        HttpRequest.newBuilder(at)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** Requests of many callers, of which those that version {@code failing} gets fail. */
    void play(int from, int to, String failing) {
        for (int i = from; i < to; i++) {
            HeldModel held = host.take("small", null, "caller " + i, Long.MAX_VALUE).join();
            if (held.model().name().version().equals(failing)) {
                held.failed(1);
            } else {
                held.answered(1, 1, FOUND, Clock.system());
            }
            held.close();
        }
    }

    @Override
    public void close() {
        judge.close();
        server.close();
        host.close();
    }
}
