package dev.medley.hub.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.Json;
import dev.medley.hub.service.HubService;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Serves the fleet's page and what belongs to it, the description of the interface, and figures for
 * Prometheus. The page's files need no token; what they show does.
 */
final class HubPage {
    private static final String POLICY =
            "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self';"
                    + " connect-src 'self'; img-src data:";
    private static final String OWN = "/dev/medley/hub/page/";
    private static final String REPORT = "/dev/medley/record/report/";

    private HubPage() {}

    static void add(
            ServerBuilder builder, List<HubRoute> routes, HubService hub, HubTokens tokens) {
        file(builder, "/", MediaType.HTML_UTF_8, OWN + "hub.html");
        file(builder, "/page/hub.css", MediaType.CSS_UTF_8, OWN + "hub.css");
        file(builder, "/page/hub.js", MediaType.JAVASCRIPT_UTF_8, OWN + "hub.js");
        file(builder, "/page/report.css", MediaType.CSS_UTF_8, REPORT + "report.css");
        file(builder, "/page/uplot.css", MediaType.CSS_UTF_8, REPORT + "uPlot-1.6.32.min.css");
        file(
                builder,
                "/page/uplot.js",
                MediaType.JAVASCRIPT_UTF_8,
                REPORT + "uPlot-1.6.32.iife.min.js");
        serve(builder, "/api/openapi.json", MediaType.JSON_UTF_8, Json.pretty(OpenApi.of(routes)));
        builder.service(
                "/metrics",
                (ctx, request) ->
                        HttpResponse.of(
                                request.aggregate()
                                        .thenApplyAsync(
                                                whole -> metrics(hub, tokens, whole),
                                                ctx.blockingTaskExecutor())));
    }

    private static HttpResponse metrics(
            HubService hub, HubTokens tokens, AggregatedHttpRequest request) {
        try {
            HubServer.require(tokens, request, HubCaller.Role.VIEWER);
        } catch (HubRefusal e) {
            return HttpResponse.of(
                    HttpStatus.valueOf(e.status()), MediaType.PLAIN_TEXT_UTF_8, e.getMessage());
        }
        return HttpResponse.of(
                HttpStatus.OK,
                MediaType.parse("text/plain; version=0.0.4; charset=utf-8"),
                HubMetrics.text(hub.fleet(), hub.jobs()));
    }

    private static void file(ServerBuilder builder, String path, MediaType type, String resource) {
        try (InputStream in = HubPage.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not there");
            }
            serve(builder, path, type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void serve(ServerBuilder builder, String path, MediaType type, String text) {
        ResponseHeaders headers =
                ResponseHeaders.builder(HttpStatus.OK)
                        .contentType(type)
                        .set("content-security-policy", POLICY)
                        .set("x-content-type-options", "nosniff")
                        .set("referrer-policy", "no-referrer")
                        .set("cache-control", "no-cache")
                        .build();
        builder.service(path, (ctx, request) -> HttpResponse.of(headers, HttpData.ofUtf8(text)));
    }
}
