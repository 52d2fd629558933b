package dev.medley.connect.salesforce;

import dev.medley.base.time.Clock;
import dev.medley.connect.salesforce.call.Waits;
import java.util.concurrent.atomic.AtomicLong;

/** A clock on which waits take no time: each pause moves it on. Walls show the machine's time. */
public final class QuickTime implements Clock, Waits.Pause {
    private final AtomicLong nowNs = new AtomicLong();
    private final AtomicLong aheadMillis = new AtomicLong();

    @Override
    public long nowNs() {
        return nowNs.get();
    }

    @Override
    public long wallMillis() {
        return Clock.system().wallMillis() + aheadMillis.get();
    }

    @Override
    public void pause(long ns) {
        nowNs.addAndGet(ns);
    }

    /** The walls show a later time from now on. */
    public void advanceWall(long millis) {
        aheadMillis.addAndGet(millis);
    }
}
