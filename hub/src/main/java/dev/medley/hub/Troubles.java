package dev.medley.hub;

import dev.medley.base.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what goes wrong again and again, once a minute each. A full disk is not filled further by
 * what is said of it. Belongs to the hub's thread.
 */
final class Troubles {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);
    private static final long EVERY_NS = 60_000_000_000L;

    private final Clock clock;
    private final Map<String, Long> saidNs = new HashMap<>();

    Troubles(Clock clock) {
        this.clock = clock;
    }

    /** Whether it was said now, and not of late. */
    boolean log(String what, RuntimeException e) {
        long now = clock.nowNs();
        saidNs.values().removeIf(at -> now - at >= EVERY_NS);
        if (saidNs.putIfAbsent(what, now) != null) {
            return false;
        }
        LOG.error(what, e);
        return true;
    }

    /** What a user is told of it: the innermost reason. */
    static String words(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String said = cause.getMessage();
        return said == null || said.isBlank() ? cause.getClass().getSimpleName() : said;
    }
}
