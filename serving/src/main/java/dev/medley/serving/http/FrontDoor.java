package dev.medley.serving.http;

import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.serving.load.ServerLoad;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets callers in to a server of models or to a router: socket, TLS, who may ask, bounds, and the
 * end in which no request is lost.
 *
 * <p>Thread: any may close it.
 */
public final class FrontDoor implements AutoCloseable {
    private static final int HEADER_BYTES = 16 << 10;
    private static final int LINE_BYTES = 8 << 10;
    private static final int STREAMS = 1024;

    /** A router that asked for the load within this time still sends requests. */
    private static final long ROUTER_NS = 10_000_000_000L;

    /** Routers have heard of the end when none came for so long. */
    private static final long QUIET_NS = 500_000_000L;

    /** Whoever sends more after this long does not ask for the load. */
    private static final long LONGEST_NS = 5_000_000_000L;

    private static final long LOOK_NS = 10_000_000L;

    private final Server server;
    private final ServeSocket where;
    private final ServerLoad load;
    private final Clock clock;

    private FrontDoor(Server server, ServeSocket where, ServerLoad load, Clock clock) {
        this.server = server;
        this.where = where;
        this.load = load;
        this.clock = clock;
    }

    /** What every server of ours has; services are still to be added. */
    public static ServerBuilder builder(
            ServeSocket where,
            ServeCallers callers,
            ServerLimits limits,
            ServerLoad load,
            Clock clock) {
        ServerBuilder builder = Server.builder();
        ServeTls tls = where.tls();
        if (tls == null) {
            builder.http(where.socketAddress());
        } else {
            builder.https(where.socketAddress());
            tls.addTo(builder);
        }
        builder.decorator(new LoadGate(load, clock));
        builder.decorator(new CallerGate(callers, new CallRate(callers.perSecond(), clock)));
        return builder.maxNumConnections(limits.connections())
                .maxRequestLength(limits.bodyBytes())
                .requestTimeout(limits.request().plusSeconds(1))
                .idleTimeout(limits.idle())
                .http1MaxHeaderSize(HEADER_BYTES)
                .http1MaxInitialLineLength(LINE_BYTES)
                .http2MaxHeaderListSize(HEADER_BYTES)
                .http2MaxStreamsPerConnection(STREAMS)
                .gracefulShutdown(
                        GracefulShutdown.builder()
                                .quietPeriod(Duration.ZERO)
                                .timeout(limits.drain())
                                .build())
                .meterRegistry(new CompositeMeterRegistry()) // Counts nothing: /metrics is ours.
                .disableServerHeader()
                .unloggedExceptionsReportIntervalMillis(0) // Answers logs what is our own fault.
                .verboseResponses(false)
                .errorHandler(new Answers());
    }

    /**
     * Listens.
     *
     * @throws ConfigException if the port is taken, or the address is not this machine's
     */
    public static FrontDoor open(
            ServerBuilder builder, ServeSocket where, ServerLoad load, Clock clock) {
        Server server = builder.build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            server.stop().join();
            throw unusable(where, e);
        }
        return new FrontDoor(server, where, load, clock);
    }

    /** Where it listens, with the port that it got. */
    public InetSocketAddress address() {
        return new InetSocketAddress(where.address(), server.activeLocalPort());
    }

    /**
     * Says that it ends, answers all the same until routers have heard of it, then answers what is
     * under way, and stops listening.
     */
    @Override
    public void close() {
        load.end();
        long fromNs = clock.nowNs();
        if (load.isAskedFor(fromNs, ROUTER_NS)) {
            long nowNs = fromNs;
            while (nowNs - fromNs < LONGEST_NS
                    && Math.min(load.quietNs(nowNs), nowNs - fromNs) < QUIET_NS) {
                LockSupport.parkNanos(LOOK_NS);
                nowNs = clock.nowNs();
            }
        }
        server.stop().join();
    }

    private static ConfigException unusable(ServeSocket where, CompletionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String said = String.valueOf(cause.getMessage());
        boolean isTaken = cause instanceof BindException && said.contains("already in use");
        return new ConfigException(
                isTaken
                        ? "port %d is taken by another program: choose another, or 0 for any"
                                .formatted(where.port())
                        : "the server cannot listen on %s port %d: %s"
                                .formatted(where.address().getHostAddress(), where.port(), said),
                e);
    }
}
