package dev.medley.serving.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.caller.CallKey;
import dev.medley.serving.host.CountedBody;
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.host.ShadowRuns;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.observe.RequestEnds;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that compute: reads the body, has the model compute its rows, and writes what
 * comes out. The model is held until the answer is written.
 */
final class InferService implements HttpService {
    /** Shorter bodies are read on the event loop: handing over takes longer. */
    private static final int SHORT_BYTES = 64 << 10;

    static final String JSON_LENGTH = "inference-header-content-length";

    private final ModelHost host;
    private final HeldBodies bodies;
    private final ServerLimits limits;
    private final Clock clock;
    private final ShadowRuns shadows;
    private final Way way;
    private final RequestEnds ends;

    /** A way in which rows are sent and answers are written. */
    interface Way {
        /** Reads a body for a model; what comes back writes the answer. */
        Asked read(ServedModel model, AggregatedHttpRequest request);

        /** Whether a short body is read at once: an event loop may do it. */
        default boolean isQuick(ServedModel model) {
            return model.reader().isQuick();
        }
    }

    /** A request, and what writes its answer. */
    record Asked(RequestEnds.Given given, Writer writer) {
        EncodedRows rows() {
            return given.rows();
        }
    }

    /** Writes an answer. */
    interface Writer {
        /** A response, or a {@link ServingFailure}. */
        HttpResponse write(Computed found);
    }

    InferService(
            ModelHost host,
            HeldBodies bodies,
            ServerLimits limits,
            RequestEnds ends,
            Clock clock,
            Way way) {
        this.ends = ends;
        this.host = host;
        this.bodies = bodies;
        this.limits = limits;
        this.clock = clock;
        this.shadows = new ShadowRuns(host, bodies, limits.request().toNanos(), clock);
        this.way = way;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        String name = String.valueOf(ctx.pathParam("model"));
        @Nullable String version = ctx.pathParam("version");
        long beginNs = clock.nowNs();
        long deadlineNs = beginNs + limits.request().toNanos();
        CallKey call = CallKey.of(ctx, request.headers());
        CompletableFuture<HttpResponse> answer =
                host.take(name, version, call.key(), deadlineNs)
                        .thenCompose(held -> answer(ctx, request, call, held, beginNs))
                        .exceptionally(
                                thrown -> {
                                    RequestEnds.refused(ctx, thrown);
                                    return Answers.failed(thrown);
                                });
        return HttpResponse.of(answer);
    }

    private CompletableFuture<HttpResponse> answer(
            ServiceRequestContext ctx,
            HttpRequest request,
            CallKey call,
            HeldModel held,
            long beginNs) {
        ServedModel model = held.model();
        model.requests().begin();
        HeldBodies.Share share = bodies.share();
        return CompletableFuture.completedFuture(request)
                .thenCompose(any -> whole(request, share, limits.bodyBytes()))
                .thenCompose(whole -> begin(ctx, whole, held, beginNs))
                .handle(
                        (response, thrown) -> {
                            share.close();
                            answeredBy(ctx, call, held);
                            if (thrown == null) {
                                held.close();
                                return response;
                            }
                            long tookNs = clock.nowNs() - beginNs;
                            held.failed(tookNs);
                            Throwable told = ends.failed(ctx, model, thrown, tookNs);
                            held.close();
                            return Answers.failed(told);
                        });
    }

    private static void answeredBy(ServiceRequestContext ctx, CallKey call, HeldModel held) {
        call.answeredBy(ctx, held.model().name().version());
        held.isFor(call.id(), call.key());
    }

    /** The whole request, whose bytes count as they come; it ends where there is no room. */
    static CompletableFuture<AggregatedHttpRequest> whole(
            HttpRequest request, HeldBodies.Share share, long mostBytes) {
        long said = request.headers().getLong(HttpHeaderNames.CONTENT_LENGTH, -1);
        if (said > mostBytes) {
            throw new ServingFailure(
                    ServingFailure.Kind.TOO_LARGE,
                    "a body of %d bytes is too large: %d are the most".formatted(said, mostBytes));
        }
        return CountedBody.whole(request, share);
    }

    private CompletableFuture<HttpResponse> begin(
            ServiceRequestContext ctx, AggregatedHttpRequest whole, HeldModel held, long beginNs) {
        ServedModel model = held.model();
        long deadlineNs = beginNs + limits.request().toNanos();
        int bytes = whole.content().length();
        Executor executor =
                bytes <= SHORT_BYTES && way.isQuick(model)
                        ? Runnable::run
                        : ctx.blockingTaskExecutor();
        return CompletableFuture.supplyAsync(() -> way.read(model, whole), executor)
                .thenCompose(
                        asked ->
                                model.compute(asked.rows(), deadlineNs)
                                        .thenApplyAsync(
                                                found ->
                                                        written(
                                                                ctx, whole, held, asked, found,
                                                                beginNs),
                                                model.isShort(asked.rows())
                                                        ? ctx.eventLoop()
                                                        : ctx.blockingTaskExecutor()));
    }

    private HttpResponse written(
            ServiceRequestContext ctx,
            AggregatedHttpRequest whole,
            HeldModel held,
            Asked asked,
            Computed found,
            long beginNs) {
        HttpResponse response = asked.writer().write(found);
        int rows = asked.rows().rows();
        long tookNs = clock.nowNs() - beginNs;
        held.answered(rows, tookNs, found, clock);
        ends.good(ctx, held.model(), asked.given(), found, tookNs);
        shadows.offer(
                held,
                new ShadowRuns.Answered(found, rows, whole.content().length()),
                other -> way.read(other, whole).rows(),
                ctx.blockingTaskExecutor());
        return response;
    }

    /** How much of a body is JSON. */
    static int jsonBytes(AggregatedHttpRequest request) {
        String said = request.headers().get(JSON_LENGTH);
        int all = request.content().length();
        if (said == null) {
            return all;
        }
        try {
            int bytes = Integer.parseInt(said.strip());
            ServingFailure.check(
                    bytes >= 0 && bytes <= all,
                    "the header Inference-Header-Content-Length says %d bytes, and the body has %d",
                    bytes,
                    all);
            return bytes;
        } catch (NumberFormatException e) {
            throw ServingFailure.invalid(
                    "the header Inference-Header-Content-Length is no number of bytes");
        }
    }

    /** A body of JSON, with binary arrays behind it or without. */
    static HttpResponse written(byte[] bytes, int jsonBytes) {
        if (jsonBytes < 0) {
            return Answers.whole(HttpStatus.OK, MediaType.JSON, bytes);
        }
        return HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.OK)
                        .contentType(MediaType.OCTET_STREAM)
                        .set(JSON_LENGTH, Integer.toString(jsonBytes))
                        .build(),
                HttpData.wrap(bytes));
    }
}
