package dev.medley.loop.continuous;

import dev.medley.base.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Time that passes when a test says so. */
final class HandClock implements Clock {
    private long ms = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

    @Override
    public long nowNs() {
        return ms * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return ms;
    }

    void pass(Duration time) {
        ms += time.toMillis();
    }
}
