package dev.medley.hub.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.Json;
import dev.medley.hub.metrics.FleetMetrics;
import dev.medley.hub.page.HubPages;
import dev.medley.hub.service.HubService;
import dev.medley.record.metrics.Exposition;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Serves what is beside the interface: its document, the pages and their files, which hold no data
 * and so need no token, and figures for Prometheus, which do.
 */
final class Extras {
    private Extras() {}

    static void addTo(ServerBuilder builder, List<Endpoint> routes, Door door, HubService service) {
        get(
                builder,
                "/api/openapi.json",
                file("application/json; charset=utf-8", Json.bytes(OpenApi.of(routes))));
        HubPages.all()
                .forEach(
                        (path, each) ->
                                get(
                                        builder,
                                        path,
                                        file(
                                                each.type(),
                                                each.text().getBytes(StandardCharsets.UTF_8))));
        get(builder, "/metrics", metrics(door, service));
    }

    private static void get(ServerBuilder builder, String path, HttpService service) {
        builder.route().get(path).build(service);
    }

    private static HttpService file(String type, byte[] bytes) {
        ResponseHeaders headers =
                Errors.headers(200, MediaType.parse(type)).toBuilder()
                        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, HubPages.CONTENT_POLICY)
                        .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
                        .build();
        return (ctx, request) -> HttpResponse.of(headers, HttpData.wrap(bytes));
    }

    private static HttpService metrics(Door door, HubService service) {
        MediaType type = MediaType.parse(Exposition.CONTENT_TYPE);
        return (ctx, request) -> {
            door.caller(request.headers()).require(Right.LOOK);
            return HttpResponse.of(
                    () ->
                            Errors.whole(
                                    200,
                                    type,
                                    FleetMetrics.text(service).getBytes(StandardCharsets.UTF_8)),
                    ctx.blockingTaskExecutor());
        };
    }
}
