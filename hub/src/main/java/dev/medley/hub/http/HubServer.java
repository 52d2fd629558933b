package dev.medley.hub.http;

import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.hub.client.LocalHubs;
import dev.medley.hub.service.HubService;
import dev.medley.net.tls.Credentials;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a hub over HTTP, on loopback in plain text and elsewhere under TLS with certificates on
 * both sides. Who calls and means no good loses his own connection and nothing else: bodies,
 * headers, connections and the time for a request have bounds.
 *
 * <p>Thread: any may close it.
 */
public final class HubServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HubServer.class);
    private static final int JOB_BYTES = 1 << 20;
    private static final int BODY_BYTES = 64 << 10;
    private static final int HEADER_BYTES = 16 << 10;
    private static final int LINE_BYTES = 4 << 10;
    private static final int CONNECTIONS = 1024;
    private static final int STREAMS = 64;
    private static final int THREADS = 16;

    private final Server server;
    private final HubSocket where;
    private final PageCodes codes;
    private final HubTokens tokens;
    private final InetSocketAddress address;
    private final Closeable leftToken;

    private HubServer(Server server, HubSocket where, PageCodes codes, HubTokens tokens) {
        this.server = server;
        this.where = where;
        this.codes = codes;
        this.tokens = tokens;
        this.address = new InetSocketAddress(where.address(), server.activeLocalPort());
        this.leftToken =
                LocalHubs.ofThisUser()
                        .leave(where.seenHere(address.getPort()), tokens.of(Role.ADMIN));
    }

    /**
     * Listens; on this machine commands of the same user find an administrator's token from now on.
     *
     * @throws ConfigException if the port is taken, or the address is not this machine's
     */
    public static HubServer open(HubService service, HubTokens tokens, HubSocket where) {
        return open(service, tokens, where, HubLimits.usual());
    }

    /** The same with other limits. */
    static HubServer open(HubService service, HubTokens tokens, HubSocket where, HubLimits limits) {
        PageCodes codes = new PageCodes(Clock.system());
        Door door = new Door(tokens, codes);
        List<Endpoint> routes = Endpoints.of(service, codes);
        ServerBuilder builder = Server.builder();
        limit(builder, limits);
        secure(builder, where);
        for (Endpoint each : routes) {
            boolean takesJobs = each.words().name().equals("submit");
            builder.route()
                    .path(each.path())
                    .methods(each.method())
                    .maxRequestLength(takesJobs ? JOB_BYTES : BODY_BYTES)
                    .requestTimeout(takesJobs ? limits.submit() : limits.request())
                    .build(new EndpointService(each, door, service));
        }
        Extras.addTo(builder, routes, door, service);
        builder.errorHandler(new Errors());
        Server server = builder.build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            server.stop().join();
            throw unusable(where, e);
        }
        try {
            return new HubServer(server, where, codes, tokens);
        } catch (ConfigException e) {
            server.stop().join();
            throw e;
        }
    }

    private static void limit(ServerBuilder builder, HubLimits limits) {
        builder.maxNumConnections(CONNECTIONS)
                .maxRequestLength(BODY_BYTES)
                .requestTimeout(limits.request())
                .idleTimeout(limits.idle())
                .maxConnectionAge(limits.age())
                .http1MaxHeaderSize(HEADER_BYTES)
                .http1MaxInitialLineLength(LINE_BYTES)
                .http2MaxHeaderListSize(HEADER_BYTES)
                .http2MaxStreamsPerConnection(STREAMS)
                .blockingTaskExecutor(THREADS)
                .gracefulShutdown(
                        GracefulShutdown.builder()
                                .quietPeriod(Duration.ZERO)
                                .timeout(Duration.ofSeconds(2))
                                .build())
                .bossGroupFactory(Acceptor::new)
                .meterRegistry(new CompositeMeterRegistry()) // Counts nothing: /metrics is ours.
                .disableServerHeader()
                .verboseResponses(false);
    }

    private static void secure(ServerBuilder builder, HubSocket where) {
        Credentials credentials = where.credentials();
        if (credentials == null) {
            builder.http(where.socketAddress());
        } else {
            builder.https(where.socketAddress())
                    .tls(credentials.sides().own())
                    .tlsCustomizer(
                            tls ->
                                    tls.trustManager(credentials.sides().trusted())
                                            .clientAuth(ClientAuth.REQUIRE)
                                            .protocols("TLSv1.3"));
        }
    }

    /** Accepts connections. Netty's own waits two seconds for tasks that nobody has, at the end. */
    private static final class Acceptor extends MultiThreadIoEventLoopGroup {
        Acceptor(String name) {
            super(1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
        }

        @Override
        public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
            return super.shutdownGracefully(0, timeout, unit);
        }
    }

    /** Where it listens, with the port that it got. */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * A link to the page that opens it once with an administrator's rights.
     *
     * @param host by which this machine is reached
     */
    public String pageLink(String host) {
        return root(host) + codes.link(tokens.owner(Role.ADMIN)).path();
    }

    /** The address without a path, {@code http://127.0.0.1:7070}. */
    public String root() {
        return root(where.address().getHostAddress());
    }

    private String root(String host) {
        return "%s://%s:%d"
                .formatted(
                        where.credentials() == null ? "http" : "https",
                        host.contains(":") ? "[" + host + "]" : host,
                        address.getPort());
    }

    /** Lets requests end that are under way, for two seconds, and stops listening. */
    @Override
    public void close() {
        try {
            leftToken.close(); // Before the port is free for another.
        } catch (IOException e) {
            LOG.debug("a token that is left behind opens nothing", e);
        }
        server.stop().join();
    }

    private static ConfigException unusable(HubSocket where, CompletionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String said = String.valueOf(cause.getMessage());
        boolean isTaken = cause instanceof BindException && said.contains("already in use");
        return new ConfigException(
                isTaken
                        ? "port %d is taken by another program: choose another, or 0 for any"
                                .formatted(where.port())
                        : "the hub cannot listen on %s port %d: %s"
                                .formatted(where.address().getHostAddress(), where.port(), said),
                e);
    }
}
