package dev.medley.hub.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.text.DidYouMean;
import dev.medley.hub.service.HubService;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one route: who asks is known before a byte of the body is read, and the service is asked
 * on a thread that may wait.
 */
final class EndpointService implements HttpService {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointService.class);
    private static final Bearer NOBODY = new Bearer("nobody", Role.VIEWER);
    private static final int MOST_WAITING = 128;

    private final Endpoint endpoint;
    private final Door door;
    private final HubService service;

    /** Requests under way, so that a route whose service hangs takes no more than its part. */
    private final AtomicInteger waiting = new AtomicInteger();

    EndpointService(Endpoint endpoint, Door door, HubService service) {
        this.endpoint = endpoint;
        this.door = door;
        this.service = service;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        Bearer caller = caller(request);
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            throw new Refusal(503, "too many ask at once: try again");
        }
        return HttpResponse.of(
                request.aggregate()
                        .thenApplyAsync(
                                whole -> answer(ctx, caller, whole), ctx.blockingTaskExecutor())
                        .whenComplete((answer, failure) -> waiting.decrementAndGet()));
    }

    private Bearer caller(HttpRequest request) {
        Right right = endpoint.right();
        if (right == null) {
            return NOBODY;
        }
        Bearer caller = door.caller(request.headers());
        caller.require(right);
        return caller;
    }

    private HttpResponse answer(
            ServiceRequestContext ctx, Bearer caller, AggregatedHttpRequest request) {
        try {
            Object body = body(request);
            Call call = new Call(caller, ctx.pathParams(), query(ctx), body);
            return Errors.json(200, endpoint.action().answer(call));
        } catch (Refusal e) {
            return Errors.failed(e.status(), e.sentence());
        } catch (ConfigException e) {
            return Errors.failed(status(ctx), String.valueOf(e.getMessage()));
        } catch (InvalidPathException e) {
            return Errors.failed(
                    400,
                    "'%s' cannot be the name of a file: %s"
                            .formatted(e.getInput().replaceAll("\\p{Cc}", "?"), e.getReason()));
        } catch (UncheckedIOException e) {
            LOG.warn("{} {} failed: {}", endpoint.method(), ctx.path(), e.getMessage(), e);
            return Errors.failed(
                    503,
                    "the hub's disk fails it: %s; see to its folder, and try again"
                            .formatted(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", endpoint.method(), ctx.path(), e);
            return Errors.failed(500, "the hub failed at this request, and its log says how");
        }
    }

    private @Nullable Object body(AggregatedHttpRequest request) {
        Object defaults = endpoint.shape().defaults();
        if (defaults == null) {
            return null;
        }
        try {
            return BodyReader.read(request.content().array(), defaults);
        } catch (Refusal e) {
            String ours = Version.build();
            String theirs = request.headers().get(Errors.BUILD_HEADER, ours);
            if (theirs.equals(ours)) {
                throw e;
            }
            throw new Refusal(
                    400,
                    "this hub is Medley %s and you are %s: use one build on all machines"
                            .formatted(ours, theirs));
        }
    }

    /**
     * Of a request that the service refused: the job is not there, or not as it would have to be.
     */
    private int status(ServiceRequestContext ctx) {
        @Nullable String id = ctx.pathParam("id");
        if (id == null) {
            return 400;
        }
        boolean isThere =
                service.jobs().stream().anyMatch(job -> Long.toString(job.id()).equals(id));
        return !isThere ? 404 : endpoint.changes() ? 409 : 400;
    }

    private Map<String, String> query(ServiceRequestContext ctx) {
        List<String> known = endpoint.shape().query();
        Map<String, String> given = new TreeMap<>();
        for (Map.Entry<String, String> each : ctx.queryParams()) {
            if (!known.contains(each.getKey())) {
                String meant =
                        DidYouMean.of(each.getKey(), known)
                                .map(word -> ": did you mean '" + word + "'?")
                                .orElse("");
                throw new Refusal(
                        400, "there is no parameter '%s'%s".formatted(each.getKey(), meant));
            }
            given.put(each.getKey(), each.getValue());
        }
        return given;
    }
}
