package dev.medley.serving.grpc;

import com.linecorp.armeria.common.grpc.protocol.ArmeriaStatusException;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.protocol.AbstractUnaryGrpcService;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.caller.CallKey;
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.host.ShadowRuns;
import dev.medley.serving.host.SlowWork;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.log.LoggedInputs;
import dev.medley.serving.observe.RequestEnds;
import dev.medley.serving.protocol.InferRequest.Answer;
import dev.medley.serving.tensor.WireTensor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the service inference.GRPCInferenceService, with Triton's calls for its repository. */
public final class GrpcInference {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcInference.class);
    private static final String SERVICE = "/inference.GRPCInferenceService/";
    private static final int UNIMPLEMENTED = 12;
    private static final int SHORT_BYTES = 64 << 10;

    private final ModelHost host;
    private final HeldBodies bodies;
    private final RequestEnds ends;
    private final Duration longest;
    private final ShadowRuns shadows;
    private final Clock clock;

    private GrpcInference(
            ModelHost host, HeldBodies bodies, RequestEnds ends, Duration longest, Clock clock) {
        this.ends = ends;
        this.host = host;
        this.bodies = bodies;
        this.longest = longest;
        this.shadows = new ShadowRuns(host, bodies, longest.toNanos(), clock);
        this.clock = clock;
    }

    /**
     * Adds its calls to a server. A call takes at most {@code longest}, or what it says itself.
     *
     * @param loads does what loads and unloads models
     */
    public static void addTo(
            ServerBuilder builder,
            ModelHost host,
            SlowWork loads,
            HeldBodies bodies,
            RequestEnds ends,
            Duration longest,
            Clock clock) {
        GrpcInference service = new GrpcInference(host, bodies, ends, longest, clock);
        call(builder, "ServerLive", any -> new ProtoWriter().flag(1, true));
        call(builder, "ServerReady", any -> new ProtoWriter().flag(1, host.isReady()));
        ModelCalls models = new ModelCalls(host);
        call(builder, "ModelReady", models::modelReady);
        call(builder, "ServerMetadata", any -> models.server());
        call(builder, "ModelMetadata", models::model);
        call(builder, "RepositoryIndex", models::index);
        call(builder, "ModelStatistics", models::statistics);
        blocking(builder, loads, "RepositoryModelLoad", m -> host.reload(ProtoReader.loaded(m)));
        blocking(builder, loads, "RepositoryModelUnload", m -> host.unload(ProtoReader.loaded(m)));
        builder.service(SERVICE + "ModelInfer", of(service::infer));
        builder.service(
                SERVICE + "{call}",
                of(
                        (ctx, message) -> {
                            throw new ArmeriaStatusException(
                                    UNIMPLEMENTED,
                                    "there is no call '%s' here".formatted(ctx.pathParam("call")));
                        }));
    }

    private interface Call {
        CompletionStage<byte[]> answer(ServiceRequestContext ctx, byte[] message);
    }

    private static AbstractUnaryGrpcService of(Call call) {
        return new AbstractUnaryGrpcService() {
            @Override
            protected CompletionStage<byte[]> handleMessage(
                    ServiceRequestContext ctx, byte[] message) {
                try {
                    return call.answer(ctx, message)
                            .exceptionally(
                                    thrown -> {
                                        throw status(thrown);
                                    });
                } catch (RuntimeException e) {
                    throw status(e);
                }
            }
        };
    }

    private static void call(
            ServerBuilder builder, String name, Function<byte[], ProtoWriter> answer) {
        builder.service(
                SERVICE + name,
                of(
                        (ctx, message) ->
                                CompletableFuture.completedFuture(answer.apply(message).bytes())));
    }

    private interface Deed {
        void run(byte[] message);
    }

    private static void blocking(ServerBuilder builder, SlowWork loads, String name, Deed deed) {
        builder.route()
                .path(SERVICE + name)
                .requestTimeout(Duration.ofMinutes(10))
                .build(
                        of(
                                (ctx, message) ->
                                        loads.done(
                                                () -> {
                                                    deed.run(message);
                                                    return new byte[0];
                                                })));
    }

    private static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null
                ? thrown.getCause()
                : thrown;
    }

    private static ArmeriaStatusException status(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        if (cause instanceof ArmeriaStatusException known) {
            return known;
        }
        if (cause instanceof ServingFailure failure) {
            return new ArmeriaStatusException(failure.kind().grpc(), failure.sentence());
        }
        if (cause instanceof ArithmeticException) {
            return new ArmeriaStatusException(
                    Kind.TOO_LARGE.grpc(), "there are too many rows in one request");
        }
        LOG.error("a call failed", cause);
        return new ArmeriaStatusException(
                Kind.INTERNAL.grpc(), "the server failed at this call, and its log says how");
    }

    private CompletionStage<byte[]> infer(ServiceRequestContext ctx, byte[] message) {
        long beginNs = clock.nowNs();
        long deadlineNs = beginNs + GrpcTimeout.ofNs(ctx.request().headers(), longest.toNanos());
        HeldBodies.Share share = bodies.share();
        try {
            share.add(message.length);
        } catch (ServingFailure e) {
            share.close();
            throw e;
        }
        Executor executor =
                message.length <= SHORT_BYTES ? Runnable::run : ctx.blockingTaskExecutor();
        return CompletableFuture.supplyAsync(() -> ProtoReader.infer(message), executor)
                .thenCompose(asked -> computed(ctx, asked, executor, beginNs, deadlineNs))
                .whenComplete((answer, thrown) -> share.close());
    }

    private CompletableFuture<byte[]> computed(
            ServiceRequestContext ctx,
            ProtoReader.Infer asked,
            Executor executor,
            long beginNs,
            long deadlineNs) {
        ServingFailure.check(!asked.request().inputs().isEmpty(), "there are no inputs");
        ProtoReader.Meant meant = asked.meant();
        CallKey call = CallKey.of(ctx, ctx.request().headers());
        return host.take(
                        meant.model(),
                        meant.version().isEmpty() ? null : meant.version(),
                        call.key(),
                        deadlineNs)
                .thenCompose(held -> by(held, ctx, asked, call, executor, beginNs, deadlineNs));
    }

    private CompletableFuture<byte[]> by(
            HeldModel held,
            ServiceRequestContext ctx,
            ProtoReader.Infer asked,
            CallKey call,
            Executor executor,
            long beginNs,
            long deadlineNs) {
        ServedModel model = held.model();
        model.requests().begin();
        call.answeredBy(ctx, model.name().version());
        Executor reading = model.reader().isQuick() ? executor : ctx.blockingTaskExecutor();
        return CompletableFuture.supplyAsync(
                        () -> model.reader().read(asked.request().inputs()), reading)
                .thenCompose(rows -> answered(ctx, held, asked, rows, beginNs, deadlineNs))
                .handle(
                        (answer, thrown) -> {
                            held.isFor(call.id(), call.key());
                            Throwable told = null;
                            if (thrown != null) {
                                long tookNs = clock.nowNs() - beginNs;
                                held.failed(tookNs);
                                told = ends.failed(ctx, model, thrown, tookNs);
                            }
                            held.close();
                            if (told != null) {
                                throw new CompletionException(told);
                            }
                            return answer;
                        });
    }

    private CompletableFuture<byte[]> answered(
            ServiceRequestContext ctx,
            HeldModel held,
            ProtoReader.Infer asked,
            EncodedRows rows,
            long beginNs,
            long deadlineNs) {
        ServedModel model = held.model();
        Executor writing = model.isShort(rows) ? ctx.eventLoop() : ctx.blockingTaskExecutor();
        return model.compute(rows, deadlineNs)
                .thenApplyAsync(
                        found -> {
                            byte[] answer =
                                    answer(
                                            model,
                                            asked,
                                            model.answers()
                                                    .tensors(
                                                            found,
                                                            model.reader(),
                                                            asked.request().inputs()));
                            long tookNs = clock.nowNs() - beginNs;
                            held.answered(rows.rows(), tookNs, found, clock);
                            ends.good(ctx, model, given(asked, rows), found, tookNs);
                            shadows.offer(
                                    held,
                                    new ShadowRuns.Answered(
                                            found,
                                            rows.rows(),
                                            ctx.request().headers().contentLength() > 0
                                                    ? (int) ctx.request().headers().contentLength()
                                                    : SHORT_BYTES),
                                    other -> other.reader().read(asked.request().inputs()),
                                    ctx.blockingTaskExecutor());
                            return answer;
                        },
                        writing);
    }

    private static RequestEnds.Given given(ProtoReader.Infer asked, EncodedRows rows) {
        return new RequestEnds.Given(rows, new LoggedInputs.OfArrays(asked.request().inputs()));
    }

    private static byte[] answer(
            ServedModel model, ProtoReader.Infer asked, List<WireTensor> answers) {
        List<Answer> selected = asked.request().select(answers);
        ProtoWriter out =
                new ProtoWriter()
                        .text(1, model.name().name())
                        .text(2, model.name().version())
                        .text(3, asked.request().id());
        selected.forEach(a -> out.message(5, ProtoWriter.output(a.tensor(), asked.isRaw())));
        if (asked.isRaw()) {
            selected.forEach(a -> out.raw(6, ProtoWriter.raw(a.tensor())));
        }
        return out.bytes();
    }
}
