package dev.medley.hub.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.Json;
import dev.medley.hub.service.HubService;
import java.util.List;

/** Serves what needs no token: the description of the interface. */
final class HubPage {
    private HubPage() {}

    static void add(
            ServerBuilder builder, List<HubRoute> routes, HubService hub, HubTokens tokens) {
        String description = Json.pretty(OpenApi.of(routes));
        builder.service(
                "/api/openapi.json",
                (ctx, request) ->
                        HttpResponse.of(
                                HttpStatus.OK, MediaType.JSON_UTF_8, HttpData.ofUtf8(description)));
    }
}
