package dev.medley.serving.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.time.Clock;
import dev.medley.serving.load.InferPath;
import dev.medley.serving.load.ServerLoad;
import java.util.concurrent.CompletableFuture;

/**
 * Counts requests that compute. One that is refused ends sooner than any that is answered, and
 * would make a broken server look fast: its time is left out.
 */
final class LoadGate implements DecoratingHttpServiceFunction {
    private static final String GRPC_STATUS = "grpc-status";

    private final ServerLoad load;
    private final Clock clock;

    LoadGate(ServerLoad load, Clock clock) {
        this.load = load;
        this.clock = clock;
    }

    @Override
    public HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        InferPath asked = InferPath.of(ctx.method().name(), ctx.path());
        if (asked == null) {
            return service.serve(ctx, request);
        }
        ServerLoad.Request begun = load.begin(asked.model(), clock.nowNs());
        CompletableFuture<Void> unused =
                ctx.log()
                        .whenComplete()
                        .thenAccept(
                                log -> {
                                    if (isAnswer(log)) {
                                        begun.answered(clock.nowNs());
                                    } else {
                                        begun.failed();
                                    }
                                });
        return service.serve(ctx, request);
    }

    private static boolean isAnswer(RequestLog log) {
        String inHeaders = log.responseHeaders().get(GRPC_STATUS, "0");
        String status = log.responseTrailers().get(GRPC_STATUS, inHeaders);
        return log.responseCause() == null
                && log.responseHeaders().status().isSuccess()
                && status.equals("0");
    }
}
