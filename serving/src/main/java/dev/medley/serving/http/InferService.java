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
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.input.EncodedRows;
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
    private final Way way;

    /** A way in which rows are sent and answers are written. */
    interface Way {
        /** Reads a body for a model; what comes back writes the answer. */
        Asked read(ServedModel model, AggregatedHttpRequest request);
    }

    /**
     * A request, and what writes its answer.
     *
     * @param rows to compute
     */
    record Asked(EncodedRows rows, Writer writer) {}

    /** Writes an answer. */
    interface Writer {
        /** A response, or a {@link ServingFailure}. */
        HttpResponse write(dev.medley.serving.batch.Computed found);
    }

    InferService(ModelHost host, HeldBodies bodies, ServerLimits limits, Clock clock, Way way) {
        this.host = host;
        this.bodies = bodies;
        this.limits = limits;
        this.clock = clock;
        this.way = way;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        String name = String.valueOf(ctx.pathParam("model"));
        @Nullable String version = ctx.pathParam("version");
        long beginNs = clock.nowNs();
        ModelHost.Held held = host.hold(name, version);
        HeldBodies.Share share = bodies.share();
        HttpRequest counted;
        try {
            counted = counted(request, share);
        } catch (ServingFailure e) {
            held.close();
            throw e;
        }
        ServedModel model = held.model();
        model.requests().begin();
        long deadlineNs = beginNs + limits.request().toNanos();
        CompletableFuture<HttpResponse> answer =
                counted.aggregate()
                        .thenCompose(whole -> begin(ctx, whole, model, beginNs, deadlineNs))
                        .handle(
                                (response, thrown) -> {
                                    share.close();
                                    held.close();
                                    if (thrown == null) {
                                        return response;
                                    }
                                    model.requests().failed(clock.nowNs() - beginNs);
                                    return Answers.failed(thrown);
                                });
        return HttpResponse.of(answer);
    }

    /** The same request, whose bytes count as they come; it ends where there is no room. */
    private HttpRequest counted(HttpRequest request, HeldBodies.Share share) {
        long said = request.headers().getLong(HttpHeaderNames.CONTENT_LENGTH, -1);
        if (said > limits.bodyBytes()) {
            throw new ServingFailure(
                    ServingFailure.Kind.TOO_LARGE,
                    "a body of %d bytes is too large: %d are the most"
                            .formatted(said, limits.bodyBytes()));
        }
        return request.peekData(
                data -> {
                    try {
                        share.add(data.length());
                    } catch (ServingFailure e) {
                        request.abort(e);
                    }
                });
    }

    private CompletableFuture<HttpResponse> begin(
            ServiceRequestContext ctx,
            AggregatedHttpRequest whole,
            ServedModel model,
            long beginNs,
            long deadlineNs) {
        Executor executor =
                whole.content().length() <= SHORT_BYTES && model.reader().isQuick()
                        ? Runnable::run
                        : ctx.blockingTaskExecutor();
        return CompletableFuture.supplyAsync(() -> way.read(model, whole), executor)
                .thenCompose(
                        asked ->
                                model.compute(asked.rows(), deadlineNs)
                                        .thenApplyAsync(
                                                found -> {
                                                    HttpResponse response =
                                                            asked.writer().write(found);
                                                    model.requests()
                                                            .good(
                                                                    asked.rows().rows(),
                                                                    clock.nowNs() - beginNs,
                                                                    found,
                                                                    clock.wallMillis());
                                                    return response;
                                                },
                                                model.isShort(asked.rows())
                                                        ? ctx.eventLoop()
                                                        : ctx.blockingTaskExecutor()));
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
