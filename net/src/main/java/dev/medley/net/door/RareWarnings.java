package dev.medley.net.door;

import dev.medley.base.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Warns of what strangers do, once a minute for each kind of trouble: a log is not theirs to fill.
 *
 * <p>Thread: any.
 */
public final class RareWarnings {
    private static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(1);

    private final Logger log;
    private final Clock clock;
    private final Map<String, Told> told = new HashMap<>(); // By kind. Guarded by this.

    private record Told(long atNs, long silenced) {}

    /** Warnings to {@code log}. */
    public RareWarnings(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /** A sentence about one caller; {@code kind} is one of a few that the code names. */
    public void warn(String kind, String sentence) {
        long silenced = silenced(kind);
        if (silenced > 0) {
            log.warn("{} (and {} more of the kind since the last warning)", sentence, silenced);
        } else if (silenced == 0) {
            log.warn("{}", sentence);
        }
    }

    /** How many were passed over since the last warning; -1 if this one is, too. */
    private synchronized long silenced(String kind) {
        long nowNs = clock.nowNs();
        Told before = told.get(kind);
        if (before != null && nowNs - before.atNs() < PAUSE_NS) {
            told.put(kind, new Told(before.atNs(), before.silenced() + 1));
            return -1;
        }
        told.put(kind, new Told(nowNs, 0));
        return before == null ? 0 : before.silenced();
    }
}
