package dev.medley.control.event;

import dev.medley.base.time.Clock;

/**
 * Holds the reading of the clock that belongs to the event under way, so that all that follows from
 * an event happens at one time.
 */
public final class EventTime implements Clock {
    private long awakeNs;
    private long wallMillis;

    /** A reading. */
    public void read(long newAwakeNs, long newWallMillis) {
        awakeNs = newAwakeNs;
        wallMillis = newWallMillis;
    }

    @Override
    public long nowNs() {
        return awakeNs;
    }

    @Override
    public long wallMillis() {
        return wallMillis;
    }
}
