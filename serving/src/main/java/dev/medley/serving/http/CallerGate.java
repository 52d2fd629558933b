package dev.medley.serving.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.page.ServingPages;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers in: those that show a token that is known, and none more often than it may ask.
 * Whether the server lives and is ready may be asked by anybody, and the page to try models by hand
 * is for everybody: what it shows it asks with a token.
 */
final class CallerGate implements DecoratingHttpServiceFunction {
    private static final String BEARER = "bearer ";

    private final @Nullable CallerTokens tokens;
    private final CallRate rate;

    CallerGate(@Nullable CallerTokens tokens, CallRate rate) {
        this.tokens = tokens;
        this.rate = rate;
    }

    @Override
    public HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        String path = ctx.path();
        if (path.startsWith("/v2/health/") || ServingPages.open().contains(path)) {
            return service.serve(ctx, request);
        }
        try {
            String caller = caller(ctx, request);
            double waitS = rate.waitS(caller);
            if (waitS > 0) {
                throw new ServingFailure(
                        Kind.TOO_MANY,
                        "%s asks more often than it may: wait %.2f s".formatted(caller, waitS),
                        Math.max(1, (long) Math.ceil(waitS)));
            }
        } catch (ServingFailure e) {
            return Answers.failedAt(path, e);
        }
        return service.serve(ctx, request);
    }

    /** By its token's name, or its address where there are no tokens. */
    private String caller(ServiceRequestContext ctx, HttpRequest request) {
        if (tokens == null) {
            InetSocketAddress from = ctx.remoteAddress();
            return from == null ? "somebody" : from.getAddress().getHostAddress();
        }
        String given = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (given == null || !given.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            throw new ServingFailure(
                    Kind.UNAUTHENTICATED,
                    "this needs a token: send the header 'Authorization: Bearer TOKEN'");
        }
        String caller = tokens.caller(given.substring(BEARER.length()).strip());
        if (caller == null) {
            throw new ServingFailure(Kind.UNAUTHENTICATED, "this token is not known here");
        }
        return caller;
    }
}
