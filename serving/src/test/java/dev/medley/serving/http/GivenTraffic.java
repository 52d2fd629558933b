package dev.medley.serving.http;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.follow.CanaryJudge;
import dev.medley.serving.follow.FailedLoads;
import dev.medley.serving.follow.FollowedAlias;
import dev.medley.serving.host.MemoryBudget;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.StoredModel;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Serves an alias of a registry as {@code medley serve} does, and asks it. */
final class GivenTraffic implements AutoCloseable {
    static final String ROW =
            """
            {"age": 41, "size": 120000.5, "member": "yes", "since": "2001-02-03T04:05:06",
             "colour": "red", "town": "town 3"}
            """;

    private final Registry registry;
    private final GivenServer server;
    private final CanaryJudge judge;
    private final FollowedAlias alias;
    private final List<String> said = new CopyOnWriteArrayList<>();

    /** An answer, by which version. */
    record Told(int status, String version, String id, String body) {}

    private GivenTraffic(Path folder, MemoryBudget memory) {
        registry = new Registry(folder, Clock.system());
        Path model = registry.model("m", 1);
        ServeLimits limits = new ServeLimits(BatchLimits.USUAL, "libtorch", 1, 1);
        server = GivenServer.of(model, limits, memory, ServerLimits.usual());
        judge =
                new CanaryJudge(
                        server.host(), new TrafficDeeds(registry), Clock.system(), said::add);
        alias =
                new FollowedAlias(
                        server.host(),
                        registry,
                        judge,
                        new FailedLoads(Clock.system()),
                        said::add,
                        Registry.PRODUCTION,
                        new ModelName("m", "1"));
    }

    static GivenTraffic of(Path folder) {
        return of(folder, MemoryBudget.measured());
    }

    static GivenTraffic of(Path folder, MemoryBudget memory) {
        return new GivenTraffic(folder, memory);
    }

    /** A model of the given kind as the next version of m; the first one is production. */
    static void registered(Path registry, Path scratch, ModelSpec model) throws Exception {
        Path folder = Files.createTempDirectory(scratch, "model");
        GivenTable.in(folder, "hours", model).trained(null).close();
        register(registry, folder.resolve("model"));
    }

    /** One that gives no numbers: each of its answers is a failure of the server. */
    static void registeredBroken(Path registry, Path scratch) throws Exception {
        Path folder = Files.createTempDirectory(scratch, "broken");
        GivenTable.in(folder, "hours", new ModelSpec.Linear()).trained(null).close();
        StoredModel stored = ModelFolder.read(folder.resolve("model"));
        List<NamedSpan> none = new ArrayList<>();
        for (NamedSpan each : stored.weights()) {
            Span data = Span.allocate(each.data().bytes());
            for (int at = 0; at + 4 <= data.bytes(); at += 4) {
                data.buffer().putFloat(at, Float.NaN);
            }
            none.add(new NamedSpan(each.name(), each.type(), each.shape(), data));
        }
        ModelFolder.write(folder.resolve("nan"), stored.description(), none);
        register(registry, folder.resolve("nan"));
    }

    private static void register(Path folder, Path model) {
        Registry registry = new Registry(folder, Clock.system());
        int version = registry.register("m", model, "ada", "").version();
        if (version == 1) {
            registry.promote("m", 1, Registry.PRODUCTION, "ada", "");
        }
    }

    GivenServer server() {
        return server;
    }

    Registry registry() {
        return registry;
    }

    List<String> said() {
        return said;
    }

    /** Follows the alias, as is done each second. */
    void look() {
        alias.look();
    }

    static Deed deed(String why) {
        return new Deed("m", Registry.PRODUCTION, "ada", why);
    }

    /** Asks for a row's answer; an empty key is none. */
    Told ask(String key) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.at("/v1/models/m:rows"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(ROW));
        if (!key.isEmpty()) {
            request.header("X-Medley-Key", key);
        }
        HttpResponse<byte[]> answer = server.bytes(request);
        return new Told(
                answer.statusCode(),
                answer.headers().firstValue("x-medley-version").orElse(""),
                answer.headers().firstValue("x-request-id").orElse(""),
                new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8));
    }

    /** Asks until the canary is over, and looks at the registry in between. */
    List<Told> askUntilSettled(String prefix) throws Exception {
        List<Told> all = new ArrayList<>();
        long endNs = Clock.system().nowNs() + 60_000_000_000L;
        while (new TrafficDeeds(registry).inForce("m", Registry.PRODUCTION).isPresent()) {
            ConfigException.check(Clock.system().nowNs() < endNs, "no end of it: %s", said);
            for (int i = 0; i < 20; i++) {
                all.add(ask(prefix.isEmpty() ? "" : prefix + all.size()));
            }
        }
        look();
        return all;
    }

    @Override
    public void close() {
        judge.close();
        server.close();
    }
}
