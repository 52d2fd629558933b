package dev.medley.exchange.peer;

import dev.medley.base.Clock;

/**
 * How long and in which way a rank has been waiting since something last moved. It first looks
 * again at once, then lets others run between looks, then sleeps. When the training thread computes
 * meanwhile, the exchange thread goes to sleep soon, so as not to take its core.
 */
final class Patience {
    private static final int HOT_LOOKS = 60;
    private static final long YIELDING_NS = 300_000;

    private final Clock clock;

    private boolean isWaiting;
    private volatile boolean isEager;
    private int looks;
    private long sinceNs;
    private long waitedNs;

    Patience(Clock clock) {
        this.clock = clock;
    }

    /** Whether nothing else is to be done in this process than to wait. From any thread. */
    void setEager(boolean eager) {
        isEager = eager;
    }

    /** Something moved. */
    void moved() {
        if (isWaiting) {
            waitedNs += clock.nowNs() - sinceNs;
            isWaiting = false;
            looks = 0;
        }
    }

    /** Whether to look again at once; if not, it is time to sleep. */
    @SuppressWarnings("ThreadPriorityCheck") // A yield saves a sleep; nothing depends on it.
    boolean looksAgain() {
        if (!isWaiting) {
            isWaiting = true;
            sinceNs = clock.nowNs();
        }
        looks++;
        if (!isEager) {
            return false;
        }
        if (looks <= HOT_LOOKS) {
            Thread.onSpinWait();
            return true;
        }
        Thread.yield();
        return silentNs() < YIELDING_NS;
    }

    /** Time since something last moved. */
    long silentNs() {
        return isWaiting ? clock.nowNs() - sinceNs : 0;
    }

    /** Time spent waiting since the last call, up to the last movement. */
    long takeWaitedNs() {
        long taken = waitedNs;
        waitedNs = 0;
        return taken;
    }
}
