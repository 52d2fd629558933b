package dev.medley.serving.observe;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.serving.load.InferPath;
import java.util.concurrent.CompletableFuture;

/**
 * Sees requests that compute to their end, those that are refused at the gate and those whose model
 * is not there, too.
 *
 * <p>Thread: any.
 */
public final class RefusedRequests implements DecoratingHttpServiceFunction {
    private final RequestEnds ends;

    /** Tells of them. */
    public RefusedRequests(RequestEnds ends) {
        this.ends = ends;
    }

    @Override
    public HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        InferPath asked = InferPath.of(ctx.method().name(), ctx.path());
        if (asked != null) {
            String model = asked.model() == null ? "" : asked.model();
            CompletableFuture<Void> unused =
                    ctx.log()
                            .whenComplete()
                            .thenAccept(log -> ends.ended(ctx, model, log.totalDurationNanos()));
        }
        return service.serve(ctx, request);
    }
}
