package dev.medley.hub.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.hub.service.HubService;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a hub over HTTP. Every call but those for the page's files needs a token as {@code
 * Authorization: Bearer}. A caller's mistake is answered with a status and one sentence as {@code
 * {"error": ...}}; bodies, headers, connections and time are bounded, so that a caller ends at most
 * its own connection.
 */
public final class HubServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HubServer.class);
    private static final int MOST_BODY_BYTES = 1 << 20;
    private static final int MOST_CONNECTIONS = 1000;
    private static final String BEARER = "Bearer ";

    private final Server server;

    private HubServer(Server server) {
        this.server = server;
    }

    /**
     * A server that listens.
     *
     * @param address where; port 0 for any
     * @param tls how connections are secured; null for plain ones, on loopback alone
     */
    public static HubServer open(
            HubService hub,
            HubTokens tokens,
            InetSocketAddress address,
            @org.jspecify.annotations.Nullable HubTls tls) {
        ConfigException.check(
                tls != null || address.getAddress().isLoopbackAddress(),
                "a hub that listens on %s is reached from other machines: give --credentials"
                        + " (medley certs), or listen on 127.0.0.1",
                address.getHostString());
        ServerBuilder builder =
                Server.builder()
                        .maxRequestLength(MOST_BODY_BYTES)
                        .http1MaxHeaderSize(16 << 10)
                        .http1MaxInitialLineLength(8 << 10)
                        .http2MaxHeaderListSize(16 << 10)
                        .maxNumConnections(MOST_CONNECTIONS)
                        .idleTimeout(Duration.ofSeconds(60))
                        .requestTimeout(Duration.ofSeconds(30))
                        .verboseResponses(false)
                        .gracefulShutdownTimeout(Duration.ZERO, Duration.ofSeconds(2));
        if (tls == null) {
            builder.http(address);
        } else {
            builder.https(address);
            tls.secure(builder);
        }
        List<HubRoute> routes = new HubRoutes(hub).all();
        for (HubRoute route : routes) {
            builder.route()
                    .methods(HttpMethod.valueOf(route.method()))
                    .path(route.path())
                    .build((ctx, request) -> answer(route, tokens, ctx, request));
        }
        HubPage.add(builder, routes, hub, tokens);
        Server server = builder.build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            throw new ConfigException(
                    "a hub cannot listen on %s:%d (%s); give another --listen"
                            .formatted(
                                    address.getHostString(),
                                    address.getPort(),
                                    e.getCause() == null ? e : e.getCause().getMessage()),
                    e);
        }
        return new HubServer(server);
    }

    /** The port that it listens on. */
    public int port() {
        return server.activeLocalPort();
    }

    private static HttpResponse answer(
            HubRoute route, HubTokens tokens, ServiceRequestContext ctx, HttpRequest request) {
        CompletableFuture<HttpResponse> answered =
                request.aggregate()
                        .thenApplyAsync(
                                whole -> answered(route, tokens, ctx, whole),
                                ctx.blockingTaskExecutor());
        return HttpResponse.of(answered);
    }

    private static HttpResponse answered(
            HubRoute route,
            HubTokens tokens,
            ServiceRequestContext ctx,
            AggregatedHttpRequest request) {
        try {
            HubCaller caller = require(tokens, request, route.role());
            Map<String, String> parameters = new HashMap<>(ctx.pathParams());
            ctx.queryParams().forEach((name, value) -> parameters.putIfAbsent(name, value));
            Object answer =
                    route.handler()
                            .answer(new HubCall(caller, parameters, request.content().array()));
            return json(200, Json.line(answer));
        } catch (HubRefusal e) {
            return refused(e.status(), e);
        } catch (ConfigException e) {
            return refused(400, e);
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", route.method(), route.path(), e);
            return refused(500, new IllegalStateException("the hub failed; its log says more"));
        }
    }

    /** Who calls, if it may do what a role may. */
    static HubCaller require(HubTokens tokens, AggregatedHttpRequest request, HubCaller.Role role) {
        String header = request.headers().get("authorization", "");
        String token = header.startsWith(BEARER) ? header.substring(BEARER.length()) : "";
        HubCaller caller =
                tokens.callerOf(token)
                        .orElseThrow(
                                () ->
                                        new HubRefusal(
                                                401,
                                                token.isEmpty()
                                                        ? "a token is needed: Authorization: Bearer"
                                                                + " TOKEN"
                                                        : "this token is nobody's; see tokens.json"
                                                                + " of the hub"));
        if (!caller.may(role)) {
            throw new HubRefusal(
                    403,
                    "the token of %s has role %s, and this needs %s"
                            .formatted(caller.name(), caller.role(), role));
        }
        return caller;
    }

    private static HttpResponse refused(int status, RuntimeException e) {
        return json(status, Json.line(Map.of("error", String.valueOf(e.getMessage()))));
    }

    private static HttpResponse json(int status, String text) {
        return HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.valueOf(status))
                        .contentType(MediaType.JSON_UTF_8)
                        .set("cache-control", "no-store")
                        .build(),
                HttpData.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
