package dev.medley.hub.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells who asks, by the token in a request's header. */
final class Door {
    private static final String BEARER = "bearer ";
    private static final int LONGEST = 256;

    private final HubTokens tokens;
    private final PageCodes codes;

    Door(HubTokens tokens, PageCodes codes) {
        this.tokens = tokens;
        this.codes = codes;
    }

    /** Who asks; a {@link Refusal} if nobody is named, or nobody known. */
    Bearer caller(RequestHeaders headers) {
        String given = headers.get(HttpHeaderNames.AUTHORIZATION);
        if (given == null || !given.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            throw new Refusal(
                    401, "this needs a token: send the header 'Authorization: Bearer TOKEN'");
        }
        String token = given.substring(BEARER.length()).strip();
        @Nullable Bearer caller = token.length() > LONGEST ? null : tokens.caller(token);
        if (caller == null) {
            caller = codes.caller(token);
            caller = caller != null && tokens.knows(caller) ? caller : null;
        }
        if (caller == null) {
            throw new Refusal(
                    401, "this token is not known here: the hub's folder has those that are");
        }
        return caller;
    }
}
