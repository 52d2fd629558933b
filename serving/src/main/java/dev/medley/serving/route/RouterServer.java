package dev.medley.serving.route;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.record.metrics.Exposition;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.http.Answers;
import dev.medley.serving.http.FrontDoor;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.load.ServerLoad;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Listens in front of servers that answer with models, and has each request answered by one of
 * them.
 *
 * <p>Thread: any may close it.
 */
public final class RouterServer implements AutoCloseable {
    private static final long LOOK_NS = 1_000_000_000L;
    private static final Duration IDLE = Duration.ofSeconds(60); // Servers of ours close at 120.

    private final FrontDoor door;
    private final RouterCalls calls;
    private final RouterParts parts;
    private final @Nullable Thread follower;

    private RouterServer(
            FrontDoor door, RouterCalls calls, RouterParts parts, @Nullable Thread follower) {
        this.follower = follower;
        this.door = door;
        this.calls = calls;
        this.parts = parts;
    }

    /**
     * Servers to send requests to.
     *
     * @param authority in PEM, of which those that speak TLS need a certificate; null for those
     *     that Java knows
     * @param certificate chain in PEM that is shown to servers that ask for one; null for none
     * @param key of it, PKCS#8 in PEM
     */
    public record To(
            ReplicaSource source,
            @Nullable Path authority,
            @Nullable Path certificate,
            @Nullable Path key) {
        public To {
            ConfigException.check(
                    (certificate == null) == (key == null),
                    "--to-cert and --to-key belong together: give both");
        }
    }

    /**
     * Asks each server once, and listens. A server that does not answer yet is waited for while
     * others answer; one that answers and is none of models is refused.
     *
     * @param say gets a sentence whenever a server comes or goes
     * @throws ConfigException if the servers cannot be used, or the port is taken
     */
    public static RouterServer open(
            To to,
            ServeSocket where,
            ServeCallers callers,
            ServerLimits limits,
            Clock clock,
            Consumer<String> say) {
        List<ReplicaAddress> addresses = to.source().read();
        addresses.forEach(each -> each.requireKnown("--to"));
        RouterSettings settings = RouterSettings.usual();
        RouterCalls calls = new RouterCalls(to, IDLE, limits.bodyBytes());
        try {
            ReplicaTable table =
                    new ReplicaTable(settings, Seeds.generator(clock.wallMillis(), clock.nowNs()));
            RouterProbes probes = new RouterProbes(table, calls, settings, clock, say);
            RouterParts parts =
                    new RouterParts(
                            table,
                            calls,
                            probes,
                            new RetryBudget(settings.retryRatio()),
                            new RouterTotals(),
                            clock);
            table.replace(addresses);
            probes.first().join();
            table.requireNoStranger();
            ServerLoad load = new ServerLoad();
            ServerBuilder builder = FrontDoor.builder(where, callers, limits, load, clock);
            routes(builder, parts, load, limits);
            FrontDoor door = FrontDoor.open(builder, where, load, clock);
            probes.start();
            Thread follower = follow(to.source(), addresses, parts, say);
            return new RouterServer(door, calls, parts, follower);
        } catch (RuntimeException | Error e) {
            calls.close();
            throw e;
        }
    }

    private static void routes(
            ServerBuilder builder, RouterParts parts, ServerLoad load, ServerLimits limits) {
        own(builder, "/v2/health/live", () -> Answers.json(Map.of("live", true)));
        own(
                builder,
                "/v2/health/ready",
                () -> {
                    if (load.isEnding()) {
                        throw new ServingFailure(
                                ServingFailure.Kind.UNAVAILABLE, "the router is ending");
                    }
                    if (!parts.table().isReady()) {
                        throw new ServingFailure(
                                ServingFailure.Kind.UNAVAILABLE, parts.table().missing(Set.of()));
                    }
                    return Answers.json(Map.of("ready", true));
                });
        own(
                builder,
                LoadReport.PATH,
                () ->
                        Answers.json(
                                load.asked(
                                        parts.table().isReady()
                                                ? LoadReport.READY
                                                : LoadReport.NOT_READY,
                                        parts.clock().nowNs())));
        own(
                builder,
                "/metrics",
                () ->
                        Answers.whole(
                                HttpStatus.OK,
                                MediaType.parse(Exposition.CONTENT_TYPE),
                                RouterPages.figures(RouterPages.status(parts))
                                        .getBytes(StandardCharsets.UTF_8)));
        builder.route()
                .path("/route")
                .methods(HttpMethod.GET, HttpMethod.HEAD)
                .build(
                        (ctx, request) -> {
                            RouterPages.Status status = RouterPages.status(parts);
                            String accepts = request.headers().get(HttpHeaderNames.ACCEPT, "");
                            return accepts.contains("text/html")
                                    ? Answers.whole(
                                            HttpStatus.OK,
                                            MediaType.HTML_UTF_8,
                                            RouterPages.page(status)
                                                    .getBytes(StandardCharsets.UTF_8))
                                    : Answers.json(status);
                        });
        HttpService all = new RouterService(parts, limits);
        builder.serviceUnder("/", all);
    }

    private static void own(ServerBuilder builder, String path, Supplier<HttpResponse> answer) {
        builder.route()
                .path(path)
                .methods(HttpMethod.GET, HttpMethod.HEAD)
                .build((ctx, request) -> answer.get());
    }

    /**
     * Reads the file of servers again and again, on a thread of its own: a mount may hang.
     *
     * @return the thread; null where there is no file
     */
    private static @Nullable Thread follow(
            ReplicaSource source,
            List<ReplicaAddress> first,
            RouterParts parts,
            Consumer<String> say) {
        if (source.file() == null) {
            return null;
        }
        Thread thread = new Thread(() -> look(source, first, parts, say), "medley-route-file");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** What cannot be used is said, and changes nothing. */
    private static void look(
            ReplicaSource source,
            List<ReplicaAddress> first,
            RouterParts parts,
            Consumer<String> say) {
        Object last = first;
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_NS);
            try {
                List<ReplicaAddress> now = source.read();
                if (!now.equals(last)) {
                    parts.table().replace(now);
                    parts.calls()
                            .keepOnly(
                                    now.stream()
                                            .map(ReplicaAddress::toString)
                                            .collect(Collectors.toSet()));
                    say.accept("the servers are now " + now);
                    last = now;
                }
            } catch (RuntimeException e) { // It is looked at again.
                String why = String.valueOf(e.getMessage());
                if (!why.equals(last)) {
                    say.accept("the servers stay as they are: " + why);
                    last = why;
                }
            }
        }
    }

    /** Where it listens, with the port that it got. */
    public InetSocketAddress address() {
        return door.address();
    }

    /** The servers at this moment. */
    public List<ReplicaView> servers() {
        return parts.table().views(parts.clock().nowNs());
    }

    /** Answers what is under way, and stops listening. */
    @Override
    public void close() {
        if (follower != null) {
            follower.interrupt();
        }
        door.close();
        parts.probes().stop();
        calls.close();
    }
}
