package dev.medley.serving.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.observe.RequestEnds;
import dev.medley.serving.oidc.OidcCallers;
import dev.medley.serving.page.ServingPages;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Lets callers in: those that show a token that is known, and none more often than it may ask.
 * Whether the server lives and is ready may be asked by anybody, and the page to try models by hand
 * is for everybody: what it shows it asks with a token.
 */
final class CallerGate implements DecoratingHttpServiceFunction {
    private static final String BEARER = "bearer ";
    private static final Set<String> HEALTH =
            Set.of("/v2/health/live", "/v2/health/ready", LoadReport.PATH);

    private final ServeCallers callers;
    private final CallRate rate;

    CallerGate(ServeCallers callers, CallRate rate) {
        this.callers = callers;
        this.rate = rate;
    }

    @Override
    public HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        String path = ctx.path();
        boolean isRead = ctx.method() == HttpMethod.GET || ctx.method() == HttpMethod.HEAD;
        if (isRead && (HEALTH.contains(path) || ServingPages.open().contains(path))) {
            return service.serve(ctx, request);
        }
        try {
            if (callers.tokens() == null && callers.oidc() == null) {
                return admitted(service, ctx, request, address(ctx));
            }
            String token = token(request);
            String caller = callers.tokens() == null ? null : callers.tokens().caller(token);
            OidcCallers oidc = callers.oidc();
            if (caller == null && oidc != null) {
                caller = oidc.known(token);
                if (caller == null) {
                    return asked(service, ctx, request, oidc, token);
                }
            }
            if (caller == null) {
                throw new ServingFailure(Kind.UNAUTHENTICATED, "this token is not known here");
            }
            return admitted(service, ctx, request, caller);
        } catch (ServingFailure e) {
            return refused(ctx, e);
        }
    }

    private static HttpResponse refused(ServiceRequestContext ctx, Throwable e) {
        RequestEnds.refused(ctx, e);
        return Answers.failedAt(ctx.path(), Answers.failure(e));
    }

    /** Looks at a token off the event loop: keys may have to be fetched. */
    private HttpResponse asked(
            HttpService service,
            ServiceRequestContext ctx,
            HttpRequest request,
            OidcCallers oidc,
            String token) {
        return HttpResponse.of(
                CompletableFuture.supplyAsync(() -> oidc.caller(token), ctx.blockingTaskExecutor())
                        .handleAsync(
                                (caller, thrown) -> {
                                    try {
                                        return thrown == null
                                                ? admitted(service, ctx, request, caller)
                                                : refused(ctx, thrown);
                                    } catch (ServingFailure e) {
                                        return refused(ctx, e);
                                    } catch (Exception e) {
                                        throw new CompletionException(e);
                                    }
                                },
                                ctx.eventLoop()));
    }

    private HttpResponse admitted(
            HttpService service, ServiceRequestContext ctx, HttpRequest request, String caller)
            throws Exception {
        RequestEnds.caller(ctx, caller);
        double waitS = rate.waitS(caller);
        if (waitS > 0) {
            throw new ServingFailure(
                    Kind.TOO_MANY,
                    "%s asks more often than it may: wait %.2f s".formatted(caller, waitS),
                    Math.max(1, (long) Math.ceil(waitS)));
        }
        return service.serve(ctx, request);
    }

    private static String address(ServiceRequestContext ctx) {
        InetSocketAddress from = ctx.remoteAddress();
        return from == null ? "somebody" : from.getAddress().getHostAddress();
    }

    private static String token(HttpRequest request) {
        String given = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (given == null || !given.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            throw new ServingFailure(
                    Kind.UNAUTHENTICATED,
                    "this needs a token: send the header 'Authorization: Bearer TOKEN'");
        }
        return given.substring(BEARER.length()).strip();
    }
}
