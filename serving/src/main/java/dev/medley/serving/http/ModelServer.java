package dev.medley.serving.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.encoding.StreamDecoderFactory;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.encoding.DecodingService;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.record.metrics.Exposition;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.explain.ExplainDesk;
import dev.medley.serving.generate.GenerateService;
import dev.medley.serving.grpc.GrpcInference;
import dev.medley.serving.host.HeldBodies;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.host.SlowWork;
import dev.medley.serving.host.Statistics;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.load.ServerLoad;
import dev.medley.serving.log.RequestLog;
import dev.medley.serving.mlflow.MlflowReading;
import dev.medley.serving.observe.RefusedRequests;
import dev.medley.serving.observe.RequestEnds;
import dev.medley.serving.page.ServingPages;
import dev.medley.serving.protocol.LoadSettings;
import dev.medley.serving.protocol.RequestJson;
import dev.medley.serving.trace.ServeTraces;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Serves the models of a host: the Open Inference Protocol over REST and gRPC, version 1, raw rows,
 * figures.
 *
 * <p>Thread: any may close it.
 */
public final class ModelServer implements AutoCloseable {
    private static final int SMALL_BYTES = 64 << 10;

    /** How a body may come. */
    private static final Set<String> PACKINGS = Set.of("", "identity", "gzip", "deflate");

    private final FrontDoor door;
    private final RowsWay rows;
    private final GenerateService generate;
    private final ExplainDesk desk;

    private ModelServer(FrontDoor door, RowsWay rows, GenerateService generate, ExplainDesk desk) {
        this.door = door;
        this.desk = desk;
        this.rows = rows;
        this.generate = generate;
    }

    /**
     * Listens.
     *
     * @throws ConfigException if the port is taken, or the address is not this machine's
     */
    public static ModelServer open(
            ModelHost host, ServeSocket where, ServerLimits limits, Clock clock) {
        return open(host, where, ServeCallers.ALL, limits, clock);
    }

    /** The same for some callers alone. */
    public static ModelServer open(
            ModelHost host,
            ServeSocket where,
            ServeCallers callers,
            ServerLimits limits,
            Clock clock) {
        return open(host, where, callers, ServeObservers.USUAL, limits, null, clock);
    }

    /**
     * The same with more that is done beside the answers.
     *
     * @param mlflow tells of runs and registered models as MLflow does; null for none
     */
    public static ModelServer open(
            ModelHost host,
            ServeSocket where,
            ServeCallers callers,
            ServeObservers observers,
            ServerLimits limits,
            @Nullable MlflowReading mlflow,
            Clock clock) {
        ServerLoad load = new ServerLoad();
        ServerBuilder builder = FrontDoor.builder(where, callers, limits, load, clock);
        ServeTraces traces = observers.traces();
        if (traces != null) {
            builder.decorator(traces); // Around the gate: who is refused is seen, too.
        }
        HeldBodies bodies = new HeldBodies(limits.heldBytes());
        ExplainDesk desk = new ExplainDesk(observers.explain(), clock);
        RequestEnds ends = new RequestEnds(host, desk, observers.log(), clock);
        builder.decorator(new RefusedRequests(ends));
        RowsWay rows = new RowsWay();
        builder.route()
                .path("/metrics")
                .methods(HttpMethod.GET)
                .build((ctx, request) -> metrics(host, desk, observers.log()));
        verb(
                builder,
                "explain",
                unpacked(new ExplainService(host, bodies, limits, desk, ends, clock)));
        health(builder, host, load, clock);
        routes(builder, host, rows, new Answering(host, bodies, limits, ends, clock));
        if (mlflow != null) {
            mlflow.addTo(builder);
        }
        SlowWork loads = new SlowWork("orders to load or unload a model");
        repository(builder, host, loads);
        GrpcInference.addTo(builder, host, loads, bodies, ends, limits.request(), clock);
        GenerateService generate =
                GenerateService.addTo(
                        builder, host, bodies, limits.request(), clock, Answers::failure);
        ServingPages.addTo(builder, host);
        FrontDoor door;
        try {
            door = FrontDoor.open(builder, where, load, clock);
        } catch (RuntimeException e) {
            desk.close();
            throw e;
        }
        return new ModelServer(door, rows, generate, desk);
    }

    /** Whether it lives, is ready, and how loaded it is. */
    private static void health(
            ServerBuilder builder, ModelHost host, ServerLoad load, Clock clock) {
        get(builder, "/v2/health/live", ctx -> Map.of("live", true));
        get(
                builder,
                "/v2/health/ready",
                ctx -> {
                    if (load.isEnding()) {
                        throw new ServingFailure(
                                ServingFailure.Kind.UNAVAILABLE, "the server is ending");
                    }
                    if (!host.isReady()) {
                        throw new ServingFailure(
                                ServingFailure.Kind.UNAVAILABLE, "some models are not ready");
                    }
                    return Map.of("ready", true);
                });
        get(
                builder,
                LoadReport.PATH,
                ctx ->
                        load.asked(
                                host.isReady() ? LoadReport.READY : LoadReport.NOT_READY,
                                clock.nowNs()));
    }

    /** What all services that compute have in common. */
    private record Answering(
            ModelHost host, HeldBodies bodies, ServerLimits limits, RequestEnds ends, Clock clock) {
        HttpService by(InferService.Way way) {
            return new InferService(host, bodies, limits, ends, clock, way);
        }
    }

    private static HttpResponse metrics(
            ModelHost host, ExplainDesk desk, @Nullable RequestLog log) {
        return Answers.whole(
                HttpStatus.OK,
                MediaType.parse(Exposition.CONTENT_TYPE),
                ServingMetrics.text(host, desk, log).getBytes(StandardCharsets.UTF_8));
    }

    private static void routes(
            ServerBuilder builder, ModelHost host, RowsWay rows, Answering answering) {
        get(builder, "/v2", ctx -> ModelMetadata.server());
        get(builder, "/v2/", ctx -> ModelMetadata.server());
        get(builder, "/v2/models/stats", ctx -> Statistics.of(host));
        get(builder, "/v1/models", ctx -> Map.of("models", host.entries().keySet()));
        get(
                builder,
                "regex:^/v1/models/(?<model>[^/:]+)$",
                ctx ->
                        new ModelMetadata.Ready(
                                String.valueOf(ctx.pathParam("model")),
                                !host.entry(String.valueOf(ctx.pathParam("model")))
                                        .versions()
                                        .isEmpty()));
        models(builder, host, unpacked(answering.by(Ways::second)));
        verb(builder, "predict", unpacked(answering.by(rows.instances())));
        verb(builder, "rows", unpacked(answering.by(rows)));
        traffic(builder, host);
    }

    private static void traffic(ServerBuilder builder, ModelHost host) {
        String model = "regex:^/v1/models/(?<model>[^/:]+):";
        get(
                builder,
                model + "traffic$",
                ctx -> TrafficService.status(host, String.valueOf(ctx.pathParam("model"))));
        post(
                builder,
                model + "outcome$",
                (ctx, body) ->
                        TrafficService.report(host, String.valueOf(ctx.pathParam("model")), body));
    }

    /** The same for bodies that come packed, as the protocol's clients may send them, too. */
    private static HttpService unpacked(HttpService service) {
        HttpService unpacked =
                service.decorate(
                        DecodingService.newDecorator(
                                StreamDecoderFactory.gzip(), StreamDecoderFactory.deflate()));
        return unpacked.decorate(
                (packed, ctx, request) -> {
                    String packing =
                            String.join(
                                    ", ",
                                    request.headers().getAll(HttpHeaderNames.CONTENT_ENCODING));
                    ServingFailure.check(
                            PACKINGS.contains(packing.strip().toLowerCase(Locale.ROOT)),
                            "Content-Encoding '%s' is not read here: send gzip, deflate or none",
                            packing.length() > 60 ? packing.substring(0, 60) : packing);
                    return packed.serve(ctx, request);
                });
    }

    /** What there is of each model and version. */
    private static void models(ServerBuilder builder, ModelHost host, HttpService infer) {
        for (String of :
                new String[] {"/v2/models/{model}", "/v2/models/{model}/versions/{version}"}) {
            get(builder, of, ctx -> held(host, ctx, model -> ModelMetadata.model(model, host)));
            get(
                    builder,
                    of + "/ready",
                    ctx ->
                            held(
                                    host,
                                    ctx,
                                    model -> Map.of("name", model.name().name(), "ready", true)));
            get(builder, of + "/stats", ctx -> held(host, ctx, Statistics::ofOne));
            builder.route().path(of + "/infer").methods(HttpMethod.POST).build(infer);
        }
    }

    private static void repository(ServerBuilder builder, ModelHost host, SlowWork loads) {
        post(
                builder,
                "/v2/repository/index",
                (ctx, body) -> ModelMetadata.index(host, body.path("ready").asBoolean(false)));
        post(
                builder,
                "/v2/repository/models/{model}/load",
                loads::done,
                (ctx, body) -> {
                    JsonNode parameters = body.path("parameters");
                    ServingFailure.check(
                            parameters.isMissingNode() || parameters.isObject(),
                            "\"parameters\" is an object, in { and }");
                    LoadSettings.refuse(parameters.propertyNames());
                    host.reload(String.valueOf(ctx.pathParam("model")));
                    return Map.of();
                });
        post(
                builder,
                "/v2/repository/models/{model}/unload",
                loads::done,
                (ctx, body) -> {
                    host.unload(String.valueOf(ctx.pathParam("model")));
                    return Map.of();
                });
    }

    private static Object held(
            ModelHost host, ServiceRequestContext ctx, Function<ServedModel, Object> use) {
        @Nullable String version = ctx.pathParam("version");
        try (HeldModel held = host.hold(String.valueOf(ctx.pathParam("model")), version)) {
            return use.apply(held.model());
        }
    }

    private static void get(
            ServerBuilder builder, String path, Function<ServiceRequestContext, Object> answer) {
        builder.route()
                .path(path)
                .methods(HttpMethod.GET, HttpMethod.HEAD)
                .build((ctx, request) -> Answers.json(answer.apply(ctx)));
    }

    /** Takes a small JSON object, or nothing, and answers from memory. */
    private static void post(
            ServerBuilder builder,
            String path,
            BiFunction<ServiceRequestContext, JsonNode, Object> answer) {
        post(builder, path, work -> CompletableFuture.completedFuture(work.get()), answer);
    }

    private static void post(
            ServerBuilder builder,
            String path,
            Function<Supplier<HttpResponse>, CompletableFuture<HttpResponse>> how,
            BiFunction<ServiceRequestContext, JsonNode, Object> answer) {
        builder.route()
                .path(path)
                .methods(HttpMethod.POST)
                .maxRequestLength(SMALL_BYTES)
                .requestTimeout(Duration.ofMinutes(10)) // A large model loads for long.
                .build(
                        (ctx, request) ->
                                HttpResponse.of(
                                        request.aggregate()
                                                .thenCompose(
                                                        whole -> {
                                                            byte[] body = whole.content().array();
                                                            return how.apply(
                                                                    () -> said(answer, ctx, body));
                                                        })
                                                .exceptionally(Answers::failed)));
    }

    private static HttpResponse said(
            BiFunction<ServiceRequestContext, JsonNode, Object> answer,
            ServiceRequestContext ctx,
            byte[] body) {
        return Answers.json(answer.apply(ctx, small(body)));
    }

    private static JsonNode small(byte[] body) {
        try {
            if (body.length > 0) {
                RequestJson.requireKeysOnce(body);
            }
            return Json.parse(
                    body.length == 0 ? "{}".getBytes(StandardCharsets.UTF_8) : body,
                    JsonNode.class);
        } catch (tools.jackson.core.JacksonException e) {
            throw ServingFailure.invalid("the body is not JSON");
        }
    }

    private static void verb(ServerBuilder builder, String verb, HttpService service) {
        builder.route()
                .path("regex:^/v1/models/(?<model>[^/:]+):" + verb + "$")
                .methods(HttpMethod.POST)
                .build(service);
    }

    /** Where it listens, with the port that it got. */
    public InetSocketAddress address() {
        return door.address();
    }

    /** Answers what is under way, also that which routers send until they know, and stops. */
    @Override
    public void close() {
        door.close();
        generate.close();
        rows.close();
        desk.close();
    }
}
