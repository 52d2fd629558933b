package dev.medley.serving.generate;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.Json;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.caller.CallKey;
import dev.medley.serving.host.CountedBody;
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Goes on with texts. A few are generated at the same time, some wait, and more are refused. Where
 * the caller goes away, or the time of the request is over, it ends with the token under way.
 */
public final class GenerateService implements AutoCloseable {
    private static final int AT_ONCE = 2;
    private static final int MOST_WAITING = 32;
    private static final int MOST_BYTES = 1 << 20;
    private static final int IDLE_S = 10;

    private final ModelHost host;
    private final HeldBodies bodies;
    private final Duration longest;
    private final Clock clock;
    private final Function<Throwable, ServingFailure> failures;
    private final ThreadPoolExecutor threads;

    private GenerateService(
            ModelHost host,
            HeldBodies bodies,
            Duration longest,
            Clock clock,
            Function<Throwable, ServingFailure> failures) {
        this.host = host;
        this.bodies = bodies;
        this.longest = longest;
        this.clock = clock;
        this.failures = failures;
        AtomicInteger count = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(
                        AT_ONCE,
                        AT_ONCE,
                        IDLE_S,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MOST_WAITING),
                        run -> {
                            Thread own =
                                    new Thread(run, "medley-generate-" + count.incrementAndGet());
                            own.setDaemon(true);
                            return own;
                        });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Adds its paths to a server.
     *
     * @param longest that a request may take
     * @param failures what to tell of something that was thrown
     */
    public static GenerateService addTo(
            ServerBuilder builder,
            ModelHost host,
            HeldBodies bodies,
            Duration longest,
            Clock clock,
            Function<Throwable, ServingFailure> failures) {
        GenerateService service = new GenerateService(host, bodies, longest, clock, failures);
        for (String model : new String[] {"", "/versions/{version}"}) {
            service.add(builder, model + "/generate", (ctx, r) -> service.serve(ctx, r, false));
            service.add(
                    builder, model + "/generate_stream", (ctx, r) -> service.serve(ctx, r, true));
        }
        return service;
    }

    private void add(ServerBuilder builder, String path, HttpService service) {
        builder.route()
                .post("/v2/models/{model}" + path)
                .maxRequestLength(MOST_BYTES)
                .build(service);
    }

    private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request, boolean isStream) {
        long deadlineNs = clock.nowNs() + longest.toNanos();
        if (request.headers().getLong(HttpHeaderNames.CONTENT_LENGTH, -1) > MOST_BYTES) {
            throw new ServingFailure(
                    Kind.TOO_LARGE, "a text of more than %d bytes".formatted(MOST_BYTES));
        }
        String name = String.valueOf(ctx.pathParam("model"));
        CallKey call = CallKey.of(ctx, request.headers());
        return HttpResponse.of(
                host.take(name, ctx.pathParam("version"), call.key(), deadlineNs)
                        .thenApply(
                                held -> {
                                    call.answeredBy(ctx, held.model().name().version());
                                    held.isFor(call.id(), call.key());
                                    return answer(request, held, isStream, deadlineNs);
                                }));
    }

    private HttpResponse answer(
            HttpRequest request, HeldModel held, boolean isStream, long deadlineNs) {
        HttpResponseWriter out = HttpResponse.streaming();
        ServedModel model = held.model();
        model.requests().begin();
        long beginNs = clock.nowNs();
        HeldBodies.Share share = bodies.share();
        CompletableFuture<Void> unused =
                CountedBody.whole(request, share)
                        .thenAcceptAsync(
                                whole -> {
                                    GenerateRequest asked =
                                            asked(model, whole.content().array(), isStream);
                                    Generation.To to = new Generation.To(out, isStream, deadlineNs);
                                    answer(held, new Generation(model, asked, to, clock), beginNs);
                                },
                                this::execute)
                        .whenComplete(
                                (done, thrown) -> {
                                    share.close();
                                    if (thrown != null) {
                                        held.failed(clock.nowNs() - beginNs);
                                        fail(out, seen(thrown));
                                    }
                                    held.close();
                                });
        return out;
    }

    private void answer(HeldModel held, Generation generation, long beginNs) {
        long startNs = clock.nowNs();
        generation.run(failures);
        long nowNs = clock.nowNs();
        int tokens = generation.tokens();
        Computed found = new Computed(new float[0], 0, startNs - beginNs, nowNs - startNs, tokens);
        held.answered(tokens, nowNs - beginNs, found, clock);
    }

    /** What a request failed of; that a caller has gone is no fault of the version. */
    private ServingFailure seen(Throwable thrown) {
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
        return cause instanceof CancellationException
                ? ServingFailure.invalid("the caller has gone")
                : Generation.failure(cause, failures);
    }

    private void execute(Runnable run) {
        try {
            threads.execute(run);
        } catch (RejectedExecutionException e) {
            throw new ServingFailure(
                    Kind.TOO_MANY, "too many texts are generated at the same time: try again");
        }
    }

    private static GenerateRequest asked(ServedModel model, byte[] body, boolean isStream) {
        ServingFailure.check(
                model.description().signature().target().kind() == TargetKind.TOKENS,
                "model '%s' is no language model, it was trained on %s: send rows or arrays",
                model.name().name(),
                model.model().encoding().reads());
        GenerateRequest asked = GenerateRequest.read(body);
        ServingFailure.check(
                isStream || !Boolean.TRUE.equals(asked.wantsStream()),
                "parameter stream is true: ask generate_stream for a stream");
        return asked;
    }

    /** What failed before anything was written. */
    private static void fail(HttpResponseWriter out, ServingFailure failure) {
        if (out.isOpen()) {
            ResponseHeaders headers = ResponseHeaders.of(HttpStatus.valueOf(failure.kind().http()));
            byte[] body = Json.bytes(Map.of("error", failure.sentence()));
            Generation.write(out, headers.withMutations(h -> h.contentType(MediaType.JSON)));
            Generation.write(out, HttpData.wrap(body));
            out.close();
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
