package dev.medley.hub.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.Json;
import dev.medley.base.Version;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes answers, those that failed as JSON with one sentence. */
final class Errors implements ServerErrorHandler {
    /** Says in every answer which build the hub is of. */
    static final String BUILD_HEADER = "medley-build";

    private static final Logger LOG = LoggerFactory.getLogger(Errors.class);

    /** Holds what went wrong. */
    record Failure(String error) {}

    /** An answer that failed. */
    static HttpResponse failed(int status, String sentence) {
        return json(status, new Failure(sentence));
    }

    /** An answer in JSON. */
    static HttpResponse json(int status, Object value) {
        return whole(status, MediaType.JSON_UTF_8, Json.bytes(value));
    }

    /** An answer of any kind, never kept by a cache and never taken for another kind. */
    static HttpResponse whole(int status, MediaType type, byte[] bytes) {
        return HttpResponse.of(headers(status, type), HttpData.wrap(bytes));
    }

    /** Of every answer. */
    static ResponseHeaders headers(int status, MediaType type) {
        return ResponseHeaders.builder(HttpStatus.valueOf(status))
                .contentType(type)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
                .set(BUILD_HEADER, Version.build())
                .build();
    }

    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext ctx, Throwable cause) {
        if (cause instanceof Refusal refusal) {
            return failed(refusal.status(), refusal.sentence());
        }
        if (cause instanceof RequestTimeoutException) {
            return failed(503, "the hub did not answer in time: try again");
        }
        return null;
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext ctx,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        if (status.code() == 500) {
            LOG.error("a request failed", cause);
        }
        return AggregatedHttpResponse.of(
                headers(status.code(), MediaType.JSON_UTF_8),
                HttpData.wrap(Json.bytes(new Failure(sentence(status)))));
    }

    private static String sentence(HttpStatus status) {
        return switch (status.code()) {
            case 404 -> "there is nothing at this path: /api shows what there is";
            case 405 -> "this path is not for that method: /api shows what there is";
            case 413 -> "the body is too large: 1 MiB is the most for a job, and 64 KiB else";
            case 431 -> "the headers are too large: 16 KiB are the most";
            case 503 -> "the hub did not answer in time, or is ending: try again";
            case 500 -> "the hub failed at this request, and its log says how";
            default -> status.reasonPhrase();
        };
    }
}
