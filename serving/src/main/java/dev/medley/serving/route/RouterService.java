package dev.medley.serving.route;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.serving.grpc.GrpcTimeout;
import dev.medley.serving.host.CountedBody;
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.http.Answers;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.load.InferPath;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Takes requests, holds each until it is answered, so that it can be sent again, and gives its
 * answer whole: a caller never gets half of one. Only what is streamed goes on piece by piece.
 */
final class RouterService implements HttpService {
    /** A large model loads for long. */
    private static final Duration CHANGES = Duration.ofMinutes(10);

    private final RouterParts parts;
    private final ServerLimits limits;
    private final HeldBodies bodies;

    RouterService(RouterParts parts, ServerLimits limits) {
        this.parts = parts;
        this.limits = limits;
        bodies = new HeldBodies(limits.heldBytes());
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        long beginNs = parts.clock().nowNs();
        Duration most = limits.request();
        if (!InferPath.isRead(ctx.method().name(), ctx.path())) {
            most = CHANGES;
            ctx.setRequestTimeout(TimeoutMode.SET_FROM_START, most.plusSeconds(1));
        }
        long deadlineNs = beginNs + GrpcTimeout.ofNs(request.headers(), most.toNanos());
        parts.totals().requests.increment();
        parts.budget().request();
        HeldBodies.Share share = bodies.share();
        return HttpResponse.of(
                CountedBody.whole(request, share)
                        .thenCompose(
                                whole ->
                                        new RoutedRequest(parts, ctx, whole, share, deadlineNs)
                                                .send())
                        .handle(
                                (answer, thrown) -> {
                                    if (answer == null) {
                                        share.close();
                                        return failed(ctx, thrown);
                                    }
                                    return given(answer, share);
                                }));
    }

    /** An answer, which is held until its caller has taken it. */
    private static HttpResponse given(HttpResponse response, HeldBodies.Share share) {
        CompletableFuture<Void> unused =
                response.whenComplete()
                        .handle(
                                (done, thrown) -> {
                                    share.close();
                                    return null;
                                });
        return response;
    }

    private HttpResponse failed(ServiceRequestContext ctx, Throwable thrown) {
        parts.totals().failed.increment();
        return Answers.failedAt(ctx.path(), thrown);
    }
}
