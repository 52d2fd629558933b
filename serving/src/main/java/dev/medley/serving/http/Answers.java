package dev.medley.serving.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.util.CompositeException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.Json;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.observe.RequestEnds;
import io.netty.handler.codec.compression.DecompressionException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes answers, those that failed as {@code {"error": "..."}}, as the protocol has it. */
public final class Answers implements ServerErrorHandler {
    private static final String GRPC = "/inference.";
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    /** Holds what went wrong. */
    record Failure(String error) {}

    /** JSON of a value. */
    public static HttpResponse json(Object value) {
        return whole(HttpStatus.OK, MediaType.JSON, Json.bytes(value));
    }

    /** Bytes of a kind. */
    public static HttpResponse whole(HttpStatus status, MediaType type, byte[] bytes) {
        return HttpResponse.of(
                ResponseHeaders.of(status, HttpHeaderNames.CONTENT_TYPE, type),
                HttpData.wrap(bytes));
    }

    /** The answer to a request that failed, over REST or gRPC as its path says. */
    public static HttpResponse failedAt(String path, Throwable thrown) {
        return path.startsWith(GRPC) ? grpc(failure(thrown)) : failed(thrown);
    }

    /** An answer of trailers alone. */
    private static HttpResponse grpc(ServingFailure failure) {
        String words =
                URLEncoder.encode(failure.sentence(), StandardCharsets.UTF_8).replace("+", "%20");
        return HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.OK)
                        .set(HttpHeaderNames.CONTENT_TYPE, "application/grpc+proto")
                        .set("grpc-status", Integer.toString(failure.kind().grpc()))
                        .set("grpc-message", words)
                        .build());
    }

    /** The answer to a request that failed. */
    static HttpResponse failed(Throwable thrown) {
        ServingFailure failure = failure(thrown);
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(HttpStatus.valueOf(failure.kind().http()))
                        .contentType(MediaType.JSON);
        if (failure.kind() == Kind.TOO_MANY || failure.kind() == Kind.UNAVAILABLE) {
            headers.setLong(HttpHeaderNames.RETRY_AFTER, failure.retryAfterS());
        }
        if (failure.kind() == Kind.UNAUTHENTICATED) {
            headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        return HttpResponse.of(
                headers.build(), HttpData.wrap(Json.bytes(new Failure(failure.sentence()))));
    }

    /** What to tell of something that was thrown; what is our own fault is logged. */
    static ServingFailure failure(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
        if (cause instanceof ServingFailure failure) {
            return failure;
        }
        if (cause instanceof ContentTooLargeException) {
            return new ServingFailure(Kind.TOO_LARGE, "the body is too large for this server");
        }
        if (cause instanceof RequestTimeoutException) {
            return new ServingFailure(Kind.LATE, "the time for this request is over");
        }
        if (cause instanceof ArithmeticException) {
            return new ServingFailure(Kind.TOO_LARGE, "there are too many rows in one request");
        }
        if (isOfPacking(cause)) {
            return ServingFailure.invalid("the body is not packed as its Content-Encoding says");
        }
        LOG.error("a request failed", cause);
        return new ServingFailure(
                Kind.INTERNAL, "the server failed at this request, and its log says how");
    }

    /** Of several, too: a body that does not begin as it should fails once more when it ends. */
    private static boolean isOfPacking(Throwable cause) {
        return cause instanceof DecompressionException
                || (cause instanceof CompositeException several
                        && several.getExceptions().stream()
                                .anyMatch(DecompressionException.class::isInstance));
    }

    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext ctx, Throwable cause) {
        RequestEnds.refused(ctx, cause);
        return cause instanceof ServingFailure
                        || cause instanceof ContentTooLargeException
                        || cause instanceof RequestTimeoutException
                ? failedAt(ctx.path(), cause)
                : null;
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext ctx,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        if (status.code() == HttpStatus.INTERNAL_SERVER_ERROR.code()) {
            LOG.error("a request failed", cause);
        }
        return AggregatedHttpResponse.of(
                ResponseHeaders.of(status, HttpHeaderNames.CONTENT_TYPE, MediaType.JSON),
                HttpData.wrap(Json.bytes(new Failure(sentence(status)))));
    }

    private static String sentence(HttpStatus status) {
        return switch (status.code()) {
            case 404 -> "there is nothing at this path; /v2 and /v1/models are where models are";
            case 405 -> "this path is not for that method";
            case 413 -> "the body is too large for this server";
            case 431 -> "the headers are too large";
            case 503 -> "the server did not answer in time, or is ending: try again";
            case 500 -> "the server failed at this request, and its log says how";
            default -> status.reasonPhrase();
        };
    }
}
