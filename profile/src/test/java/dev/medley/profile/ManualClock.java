package dev.medley.profile;

import dev.medley.base.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes when a test says so. */
public final class ManualClock implements Clock {
    private static final long START_MILLIS = 1_790_000_000_000L;
    private final AtomicLong ns = new AtomicLong();

    @Override
    public long nowNs() {
        return ns.get();
    }

    @Override
    public long wallMillis() {
        return START_MILLIS + ns.get() / 1_000_000;
    }

    public void passNs(long more) {
        ns.addAndGet(more);
    }

    public void passMillis(long more) {
        passNs(more * 1_000_000);
    }
}
