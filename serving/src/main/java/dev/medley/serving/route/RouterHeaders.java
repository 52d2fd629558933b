package dev.medley.serving.route;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;

/** Passes headers on, but for those that are of one connection (RFC 9110, section 7.6.1). */
final class RouterHeaders {
    private static final List<String> OF_CONNECTION =
            List.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "proxy-authorization",
                    "transfer-encoding",
                    "upgrade",
                    "http2-settings",
                    "expect",
                    "host");

    /** Headers of HTTP/2 that say what is asked for: no caller can take them away. */
    private static final String PSEUDO = ":";

    private static final String TE = "te";
    private static final String TRAILERS = "trailers";
    private static final String FORWARDED = "x-forwarded-for";

    private RouterHeaders() {}

    static RequestHeadersBuilder forwarded(ServiceRequestContext ctx, RequestHeaders asked) {
        RequestHeadersBuilder headers = asked.toBuilder();
        for (String named : asked.getAll("connection")) {
            for (String name : named.split(",", -1)) {
                String header = name.strip().toLowerCase(Locale.ROOT);
                if (!header.isEmpty() && !header.startsWith(PSEUDO)) {
                    headers.remove(header);
                }
            }
        }
        OF_CONNECTION.forEach(headers::remove);
        if (!TRAILERS.equals(headers.get(TE))) {
            headers.remove(TE);
        }
        InetSocketAddress from = ctx.remoteAddress();
        if (from != null && from.getAddress() != null) {
            headers.add(FORWARDED, from.getAddress().getHostAddress());
        }
        return headers;
    }
}
