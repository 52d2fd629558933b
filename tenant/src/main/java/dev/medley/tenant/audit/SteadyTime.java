package dev.medley.tenant.audit;

import dev.medley.base.time.Clock;

/**
 * Tells the time of day so that it never goes back: a clock that is put back goes on from where it
 * was, at its usual pace. One that is put forward is believed.
 *
 * <p>Thread: any.
 */
public final class SteadyTime {
    /** What moves a clock by less is its usual keeping. */
    private static final long STEP_MS = 60_000;

    private static final long NS_PER_MS = 1_000_000;

    private final Clock clock;
    private long lastMs;
    private long lastNs;
    private long forwardMs;

    /** Not before {@code floorMs} since 1970. */
    public SteadyTime(Clock clock, long floorMs) {
        this.clock = clock;
        this.lastMs = Math.max(floorMs, clock.wallMillis());
        this.lastNs = clock.nowNs();
    }

    /** As the machine's clock says now, which may go back. */
    public long wallMs() {
        return clock.wallMillis();
    }

    /** How far the machine's clock is behind, in full minutes: it was put back. */
    synchronized long behindMs() {
        return Math.max(0, nowMs() - clock.wallMillis()) / STEP_MS * STEP_MS;
    }

    /** By how much the clock was put forward since somebody asked. */
    synchronized long takeForwardMs() {
        long steps = forwardMs;
        forwardMs = 0;
        return steps;
    }

    /** Milliseconds since 1970, never less than before. */
    public synchronized long nowMs() {
        long goneMs = Math.max(0, clock.nowNs() - lastNs) / NS_PER_MS;
        lastMs += goneMs;
        lastNs += goneMs * NS_PER_MS;
        long wallMs = clock.wallMillis();
        if (wallMs > lastMs) {
            forwardMs += wallMs - lastMs > STEP_MS ? wallMs - lastMs : 0;
            lastMs = wallMs;
            lastNs = clock.nowNs();
        }
        return lastMs;
    }
}
