package dev.medley.hub.http;

import dev.medley.base.time.Clock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets browsers in by links that are good once. A link holds a code behind the mark #, which
 * browsers send to nobody; the page changes it for a token of its own, which is forgotten when the
 * hub ends. Nothing of it is on disk or in a log.
 *
 * <p>Thread: any.
 */
final class PageCodes {
    private static final long CODE_NS = TimeUnit.MINUTES.toNanos(15);
    private static final long SESSION_NS = TimeUnit.HOURS.toNanos(24);
    private static final int MOST = 256;

    private final Clock clock;
    private final Map<String, Let> codes = new LinkedHashMap<>();
    private final Map<String, Let> sessions = new LinkedHashMap<>();

    /**
     * Holds where the page is.
     *
     * @param path behind the hub's address
     */
    record Link(String path) {}

    /** Holds the code of a link. */
    record Code(String code) {}

    /** Holds a page's own token, and whose rights it has. */
    record Entrance(String token, String name, String role) {}

    private record Let(Bearer caller, long untilNs) {}

    PageCodes(Clock clock) {
        this.clock = clock;
    }

    /** A new link for that caller. */
    synchronized Link link(Bearer caller) {
        String code = HubTokens.fresh();
        keep(codes, code, new Let(caller, clock.nowNs() + CODE_NS));
        return new Link("/#code=" + code);
    }

    /** Uses up a code. */
    synchronized Entrance enter(Code shown) {
        Let let = codes.remove(shown.code());
        if (let == null || clock.nowNs() > let.untilNs()) {
            throw new Refusal(
                    401,
                    "this link was used before, or is older than 15 minutes: ask for a new one, or"
                            + " give the page a token");
        }
        String token = HubTokens.fresh();
        keep(sessions, token, new Let(let.caller(), clock.nowNs() + SESSION_NS));
        return new Entrance(token, let.caller().name(), let.caller().role().word());
    }

    /** Whose page that is; null if it is nobody's. */
    synchronized @Nullable Bearer caller(String token) {
        Let let = sessions.get(token);
        return let == null || clock.nowNs() > let.untilNs() ? null : let.caller();
    }

    /** Keeps so many of them as there may be; the oldest goes first. */
    private static void keep(Map<String, Let> all, String key, Let let) {
        all.put(key, let);
        if (all.size() > MOST) {
            Iterator<String> oldest = all.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }
}
