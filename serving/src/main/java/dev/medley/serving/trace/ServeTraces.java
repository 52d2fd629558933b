package dev.medley.serving.trace;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.serving.batch.Computed;
import io.netty.util.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells what requests took as spans, sent by OTLP over HTTP as the environment says. A trace that a
 * caller has begun (traceparent) goes on. No span has values of a request.
 *
 * <p>Thread: any.
 */
public final class ServeTraces implements DecoratingHttpServiceFunction, AutoCloseable {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final String TRACES = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    private static final long END_S = 10;
    private static final int FIRST_OF_OURS = 500;
    private static final AttributeKey<Span> SPAN = AttributeKey.valueOf(ServeTraces.class, "span");

    private static final TextMapGetter<RequestHeaders> HEADERS =
            new TextMapGetter<>() {
                @Override
                public @Nullable String get(@Nullable RequestHeaders headers, String name) {
                    return headers == null ? null : headers.get(name.toLowerCase(Locale.ROOT));
                }
            };

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    private ServeTraces(SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider.get("dev.medley.serving", Version.build());
    }

    /**
     * As the environment says, by the names that OpenTelemetry gives; null where it names no
     * endpoint, or switches all of it off.
     *
     * @throws ConfigException if what it says is not understood
     */
    public static @Nullable ServeTraces of(Map<String, String> environment) {
        String base = environment.getOrDefault(ENDPOINT, "");
        String traces = environment.getOrDefault(TRACES, "");
        boolean isOff = "true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"));
        if (isOff || (base.isBlank() && traces.isBlank())) {
            return null;
        }
        String endpoint =
                traces.isBlank() ? base.strip().replaceFirst("/+$", "") + "/v1/traces" : traces;
        String protocol =
                environment.getOrDefault("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf").strip();
        ConfigException.check(
                protocol.equals("http/protobuf"),
                "OTEL_EXPORTER_OTLP_PROTOCOL=%s: spans are sent by http/protobuf alone; the port of"
                        + " a collector for that is mostly 4318",
                protocol);
        try {
            OtlpHttpSpanExporterBuilder exporter =
                    OtlpHttpSpanExporter.builder().setEndpoint(endpoint);
            pairs(environment, "OTEL_EXPORTER_OTLP_HEADERS").forEach(exporter::addHeader);
            Resource resource =
                    Resource.getDefault().toBuilder()
                            .put("service.version", Version.build())
                            .put(
                                    "service.name",
                                    environment.getOrDefault("OTEL_SERVICE_NAME", "medley"))
                            .build();
            return new ServeTraces(
                    SdkTracerProvider.builder()
                            .setResource(resource)
                            .setSampler(sampler(environment))
                            .addSpanProcessor(BatchSpanProcessor.builder(exporter.build()).build())
                            .build());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "%s=%s: is no place to send spans to: %s"
                            .formatted(
                                    traces.isBlank() ? ENDPOINT : TRACES, endpoint, e.getMessage()),
                    e);
        }
    }

    /** What a caller's trace says, or a share of those that begin here. */
    private static Sampler sampler(Map<String, String> environment) {
        String name = environment.getOrDefault("OTEL_TRACES_SAMPLER", "parentbased_always_on");
        String share = environment.getOrDefault("OTEL_TRACES_SAMPLER_ARG", "1");
        try {
            Sampler ratio = Sampler.traceIdRatioBased(Double.parseDouble(share));
            return switch (name.strip()) {
                case "always_on" -> Sampler.alwaysOn();
                case "always_off" -> Sampler.alwaysOff();
                case "traceidratio" -> ratio;
                case "parentbased_always_on" -> Sampler.parentBased(Sampler.alwaysOn());
                case "parentbased_always_off" -> Sampler.parentBased(Sampler.alwaysOff());
                case "parentbased_traceidratio" -> Sampler.parentBased(ratio);
                default ->
                        throw new ConfigException(
                                ("OTEL_TRACES_SAMPLER=%s: there are always_on, always_off and"
                                                + " traceidratio, each also with parentbased_")
                                        .formatted(name));
            };
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "OTEL_TRACES_SAMPLER_ARG=%s: give a share from 0 to 1".formatted(share), e);
        }
    }

    /** Of {@code key=value,key=value}, with % codes. */
    private static Map<String, String> pairs(Map<String, String> environment, String name) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : environment.getOrDefault(name, "").split(",", -1)) {
            int at = pair.indexOf('=');
            if (at > 0) {
                String value = pair.substring(at + 1).strip().replace("+", "%2B");
                pairs.put(
                        pair.substring(0, at).strip(),
                        URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        }
        return pairs;
    }

    @Override
    public HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        String path = ctx.path();
        if (path.startsWith("/v2/health/") || path.equals("/metrics")) {
            return service.serve(ctx, request);
        }
        Context parent =
                W3CTraceContextPropagator.getInstance()
                        .extract(Context.root(), request.headers(), HEADERS);
        String route = route(ctx);
        Span span =
                tracer.spanBuilder(ctx.method() + " " + route)
                        .setParent(parent)
                        .setSpanKind(SpanKind.SERVER)
                        .setAttribute("http.request.method", ctx.method().name())
                        .setAttribute("http.route", route)
                        .setAttribute(
                                "url.scheme", ctx.sessionProtocol().isTls() ? "https" : "http")
                        .startSpan();
        String model = ctx.pathParam("model");
        if (model != null) {
            span.setAttribute("medley.model", model);
        }
        ctx.setAttr(SPAN, span);
        var unused = ctx.log().whenComplete().thenAccept(log -> end(span, log));
        return service.serve(ctx, request);
    }

    /** With places for names, so that there are few. */
    private static String route(ServiceRequestContext ctx) {
        String pattern = ctx.config().route().patternString();
        return pattern.startsWith("^")
                ? pattern.replaceAll("\\(\\?<(\\w+)>[^)]*\\)", "{$1}").replaceAll("[\\^$]", "")
                : pattern.replaceAll("/:(\\w+)", "/{$1}");
    }

    private static void end(Span span, RequestLog log) {
        int status = log.responseHeaders().status().code();
        span.setAttribute("http.response.status_code", status);
        if (status >= FIRST_OF_OURS) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    /** Adds to a request's span what its rows took: in the queue, and to be computed. */
    public static void computed(
            ServiceRequestContext ctx, Computed found, int rows, String version) {
        Span span = ctx.attr(SPAN);
        if (span != null) {
            span.setAttribute("medley.version", version)
                    .setAttribute("medley.rows", rows)
                    .setAttribute("medley.batches", found.batches())
                    .setAttribute("medley.queue_ms", found.queuedNs() / 1e6)
                    .setAttribute("medley.compute_ms", found.computedNs() / 1e6);
        }
    }

    /** Sends what is left. */
    @Override
    public void close() {
        provider.shutdown().join(END_S, TimeUnit.SECONDS);
    }
}
