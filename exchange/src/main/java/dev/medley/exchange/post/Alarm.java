package dev.medley.exchange.post;

import dev.medley.base.time.Clock;

/**
 * Runs an action at a set time, one at a time.
 *
 * <p>Thread: a monitor. Anybody sets it, the post's thread rings it.
 */
final class Alarm {
    private static final Runnable NOTHING = () -> {};

    private final Clock clock;
    private long atNs;
    private Runnable action = NOTHING;

    Alarm(Clock clock) {
        this.clock = clock;
    }

    /** In the place of what was to be done before. */
    synchronized void set(long whenNs, Runnable what) {
        atNs = whenNs;
        action = what;
    }

    /** Does what is due, outside of the monitor; how long nothing will be, at most so long. */
    long ring(long mostNs) {
        Runnable due = NOTHING;
        long leftNs = mostNs;
        synchronized (this) {
            if (action != NOTHING) {
                leftNs = Math.min(mostNs, atNs - clock.nowNs());
            }
            if (leftNs <= 0) {
                due = action;
                action = NOTHING;
                leftNs = mostNs;
            }
        }
        due.run();
        return leftNs;
    }
}
