package dev.medley.serving.route;

import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.SplitHttpResponse;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.grpc.GrpcTimeout;
import dev.medley.serving.host.CountedBody;
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.load.InferPath;
import dev.medley.serving.route.ReplicaTable.Sent;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Has one request answered. The rule of trying again:
 *
 * <ul>
 *   <li>A request of which the server has seen nothing goes to another, until there is none.
 *   <li>One that was sent and whose answer is lost is asked again once, at another server, if it
 *       changes nothing and the budget of retries allows it; so is one that is answered by 503 or
 *       gRPC's UNAVAILABLE.
 *   <li>A stream that has begun is never tried again.
 *   <li>Nothing is tried again after its deadline, or when the caller is gone.
 * </ul>
 *
 * <p>Thread: one after the other, each that of the answer before.
 */
final class RoutedRequest {
    private static final int UNAVAILABLE = 503;
    private static final String GRPC_UNAVAILABLE = "14";
    private static final String GRPC_STATUS = "grpc-status";
    private static final String STREAM = "/generate_stream";
    private static final int STALE_CONNECTIONS = 2;

    private final RouterParts parts;
    private final ServiceRequestContext ctx;
    private final AggregatedHttpRequest asked;
    private final HeldBodies.Share share;
    private final long deadlineNs;
    private final boolean isRead;
    private final boolean isStream;
    private final @Nullable String model;
    private final Set<String> tried = new HashSet<>();
    private boolean isRetried;
    private int stale;
    private volatile @Nullable HttpResponse underWay;

    /** What came of a try: one of both. */
    private record Outcome(@Nullable AggregatedHttpResponse answer, @Nullable Throwable thrown) {}

    RoutedRequest(
            RouterParts parts,
            ServiceRequestContext ctx,
            AggregatedHttpRequest asked,
            HeldBodies.Share share,
            long deadlineNs) {
        this.parts = parts;
        this.ctx = ctx;
        this.asked = asked;
        this.share = share;
        this.deadlineNs = deadlineNs;
        String method = asked.method().name();
        isStream = ctx.path().endsWith(STREAM);
        isRead = InferPath.isRead(method, ctx.path());
        InferPath computes = InferPath.of(method, ctx.path());
        model = computes == null ? null : computes.model();
        CompletableFuture<Void> unused = ctx.whenRequestCancelling().thenAccept(cause -> stop());
    }

    private void stop() {
        HttpResponse now = underWay;
        if (now != null) {
            now.abort();
        }
    }

    /** Sends it to the best server that it was not sent to yet. */
    CompletableFuture<HttpResponse> send() {
        Clock clock = parts.clock();
        long leftNs = deadlineNs - clock.nowNs();
        if (leftNs <= 0 || ctx.isCancelled()) {
            return failed(Kind.LATE, "the time for this request is over");
        }
        Sent sent = parts.table().send(model, tried, clock.nowNs());
        if (sent == null) {
            return failed(Kind.UNAVAILABLE, parts.table().missing(tried));
        }
        HttpResponse response =
                parts.calls().callFor(sent.replica(), request(sent, leftNs), leftNs);
        underWay = response;
        if (ctx.isCancelled()) {
            response.abort(); // Who cancelled saw none yet.
        }
        parts.probes().request();
        return isStream
                ? streamed(sent, response)
                : whole(sent, CountedBody.whole(response, share));
    }

    private CompletableFuture<HttpResponse> whole(
            Sent sent, CompletableFuture<AggregatedHttpResponse> response) {
        return response.thenApply(answer -> new Outcome(answer, null))
                .exceptionally(thrown -> new Outcome(null, thrown))
                .thenCompose(outcome -> next(sent, outcome.answer(), outcome.thrown()));
    }

    /** Gives an answer piece by piece from its first one on; until then it may be tried again. */
    private CompletableFuture<HttpResponse> streamed(Sent sent, HttpResponse response) {
        SplitHttpResponse split = response.split();
        return split.headers()
                .handle(Begun::new)
                .thenCompose(
                        begun -> {
                            ResponseHeaders headers = begun.headers();
                            if (headers == null || !headers.status().isSuccess()) {
                                return whole(sent, collected(begun, split.body()));
                            }
                            StreamMessage<HttpData> pieces = split.body();
                            CompletableFuture<Void> unused =
                                    pieces.whenComplete()
                                            .handle((done, broken) -> ended(sent, broken));
                            return CompletableFuture.completedFuture(
                                    HttpResponse.of(
                                            headers,
                                            pieces.recoverAndResume(
                                                    broken -> lastEvent(sent, broken))));
                        });
    }

    /** How an answer begins, or why it does not. */
    private record Begun(@Nullable ResponseHeaders headers, @Nullable Throwable thrown) {}

    private static CompletableFuture<AggregatedHttpResponse> collected(
            Begun begun, StreamMessage<HttpData> body) {
        ResponseHeaders headers = begun.headers();
        Throwable thrown = begun.thrown();
        return headers == null
                ? CompletableFuture.failedFuture(
                        thrown == null ? new IllegalStateException("no answer") : thrown)
                : HttpResponse.of(headers, body).aggregate();
    }

    private @Nullable Void ended(Sent sent, @Nullable Throwable broken) {
        long nowNs = parts.clock().nowNs();
        if (broken == null) {
            parts.table().answered(sent, true, nowNs);
        } else if (ctx.isCancelled()
                || RouterCalls.cause(broken, CancelledSubscriptionException.class) != null) {
            parts.table().gone(sent); // The caller has gone.
        } else {
            parts.table().lost(sent, RouterCalls.words(broken), nowNs);
            parts.probes().suspect(sent.replica());
        }
        return null;
    }

    /** As a server ends a stream that it cannot go on with. */
    private static StreamMessage<HttpData> lastEvent(Sent sent, Throwable broken) {
        String error = sent.name() + " did not go on: " + RouterCalls.words(broken);
        String event = "data: " + Json.line(Map.of("error", error)) + "\n\n";
        return StreamMessage.of(HttpData.ofUtf8(event));
    }

    private CompletableFuture<HttpResponse> next(
            Sent sent, @Nullable AggregatedHttpResponse answer, @Nullable Throwable thrown) {
        if (answer != null) {
            return answered(sent, answer);
        }
        Throwable cause = thrown == null ? new IllegalStateException("no answer") : thrown;
        if (ctx.isCancelled()) {
            parts.table().gone(sent);
            return failed(Kind.LATE, "the time for this request is over, or its caller is gone");
        }
        ServingFailure noRoom = RouterCalls.cause(cause, ServingFailure.class);
        if (noRoom != null) {
            parts.table().gone(sent);
            return CompletableFuture.failedFuture(noRoom);
        }
        if (RouterCalls.cause(cause, UnprocessedRequestException.class) != null) {
            return unseen(sent, cause);
        }
        if (RouterCalls.cause(cause, ResponseTimeoutException.class) != null) {
            parts.table().gone(sent);
            parts.probes().suspect(sent.replica());
            return failed(Kind.LATE, sent.name() + " did not answer in the time for this request");
        }
        if (RouterCalls.cause(cause, ContentTooLargeException.class) != null) {
            parts.table().gone(sent);
            return failed(Kind.INTERNAL, "the answer is too large for this router");
        }
        String why = RouterCalls.words(cause);
        parts.table().lost(sent, why, parts.clock().nowNs());
        parts.probes().suspect(sent.replica());
        return again(sent, why);
    }

    /** A server that ends, or has not loaded the model, says so; another may answer. */
    private CompletableFuture<HttpResponse> answered(Sent sent, AggregatedHttpResponse answer) {
        String inHeaders = answer.headers().get(GRPC_STATUS, "0");
        String grpc = answer.trailers().get(GRPC_STATUS, inHeaders);
        boolean isAway = answer.status().code() == UNAVAILABLE || grpc.equals(GRPC_UNAVAILABLE);
        long nowNs = parts.clock().nowNs();
        if (!isAway) {
            boolean isGood = answer.status().isSuccess() && grpc.equals("0");
            parts.table().answered(sent, isGood, nowNs);
            return CompletableFuture.completedFuture(answer.toHttpResponse());
        }
        parts.table().answered(sent, false, nowNs);
        parts.probes().suspect(sent.replica());
        tried.add(sent.name());
        if (isRead && !isRetried && parts.table().hasOther(tried) && parts.budget().mayRetry()) {
            isRetried = true;
            parts.totals().retried.increment();
            return send();
        }
        return CompletableFuture.completedFuture(answer.toHttpResponse());
    }

    /** The server has seen nothing of it. */
    private CompletableFuture<HttpResponse> unseen(Sent sent, Throwable cause) {
        parts.table().gone(sent);
        if (RouterCalls.isUnreachable(cause) || ++stale > STALE_CONNECTIONS) {
            tried.add(sent.name());
            parts.table().broken(sent.replica(), RouterCalls.words(cause), parts.clock().nowNs());
        }
        parts.probes().suspect(sent.replica());
        parts.totals().moved.increment();
        return send();
    }

    /** It was sent, and may have been computed. */
    private CompletableFuture<HttpResponse> again(Sent sent, String why) {
        tried.add(sent.name());
        String lost = sent.name() + " did not answer: " + why;
        if (!isRead) {
            return failed(
                    Kind.UNAVAILABLE,
                    lost + "; as the request changes something it is not sent to another");
        }
        if (isRetried) {
            return failed(Kind.UNAVAILABLE, lost + "; it was the second server that failed it");
        }
        if (!parts.budget().mayRetry()) {
            return failed(
                    Kind.UNAVAILABLE, lost + "; too many requests are being tried again already");
        }
        isRetried = true;
        parts.totals().retried.increment();
        return send();
    }

    private HttpRequest request(Sent sent, long leftNs) {
        RequestHeadersBuilder headers = RouterHeaders.forwarded(ctx, asked.headers());
        headers.scheme(sent.replica().address().isTls() ? "https" : "http");
        headers.authority(sent.replica().address().host() + ":" + sent.replica().address().port());
        if (headers.contains(GrpcTimeout.HEADER)) {
            headers.set(GrpcTimeout.HEADER, GrpcTimeout.written(leftNs));
        }
        RequestHeaders whole = headers.build();
        return asked.trailers().isEmpty()
                ? HttpRequest.of(whole, asked.content())
                : HttpRequest.of(whole, asked.content(), asked.trailers());
    }

    private static CompletableFuture<HttpResponse> failed(Kind kind, String sentence) {
        return CompletableFuture.failedFuture(new ServingFailure(kind, sentence));
    }
}
