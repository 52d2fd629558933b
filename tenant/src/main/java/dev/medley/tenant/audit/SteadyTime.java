package dev.medley.tenant.audit;

import dev.medley.base.time.Clock;

/**
 * Tells the time of day so that it never goes back: a clock that is put back goes on from where it
 * was, at its usual pace. One that is put forward is believed.
 *
 * <p>Thread: any.
 */
public final class SteadyTime {
    private static final long NS_PER_MS = 1_000_000;

    private final Clock clock;
    private long lastMs;
    private long lastNs;

    /** Not before {@code floorMs} since 1970. */
    public SteadyTime(Clock clock, long floorMs) {
        this.clock = clock;
        this.lastMs = Math.max(floorMs, clock.wallMillis());
        this.lastNs = clock.nowNs();
    }

    /** Milliseconds since 1970, never less than before. */
    public synchronized long nowMs() {
        long goneMs = Math.max(0, clock.nowNs() - lastNs) / NS_PER_MS;
        lastMs += goneMs;
        lastNs += goneMs * NS_PER_MS;
        long wallMs = clock.wallMillis();
        if (wallMs > lastMs) {
            lastMs = wallMs;
            lastNs = clock.nowNs();
        }
        return lastMs;
    }
}
