package dev.medley.serving.caller;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.serving.ServingFailure;
import org.jspecify.annotations.Nullable;

/**
 * Names a request, and the key by which its version is chosen: the header {@code X-Medley-Key} (of
 * gRPC as metadata), the parameter {@code medley_key} of the address, or the request's own name,
 * which is {@code X-Request-Id} or made up. A token or an address is no key by itself: a whole back
 * end has one, and a share of callers would be no share of requests.
 *
 * @param id of the request
 * @param key by which requests stay with a version
 */
public record CallKey(String id, String key) {
    private static final String KEY = "x-medley-key";
    private static final String PARAMETER = "medley_key";
    private static final String ID = "x-request-id";
    private static final String VERSION = "x-medley-version";
    private static final int LONGEST = 200;

    /**
     * Of a request.
     *
     * @throws ServingFailure if a name is too long
     */
    public static CallKey of(ServiceRequestContext ctx, RequestHeaders headers) {
        String id = or(bounded(ID, headers.get(ID)), ctx.id().text());
        String key = or(bounded(KEY, headers.get(KEY)), "");
        if (key.isEmpty() && ctx.query() != null) {
            key = or(bounded(PARAMETER, ctx.queryParam(PARAMETER)), "");
        }
        return new CallKey(id, key.isEmpty() ? id : key);
    }

    /** Tells the caller who answers, and under which name what came of it can be reported. */
    public void answeredBy(ServiceRequestContext ctx, String version) {
        ctx.mutateAdditionalResponseHeaders(headers -> headers.set(ID, id).set(VERSION, version));
    }

    private static @Nullable String bounded(String name, @Nullable String value) {
        ServingFailure.check(
                value == null || value.length() <= LONGEST,
                "%s has %d characters: use up to %d",
                name,
                value == null ? 0 : value.length(),
                LONGEST);
        return value == null ? null : value.strip();
    }

    private static String or(@Nullable String value, String other) {
        return value == null || value.isEmpty() ? other : value;
    }
}
