package dev.medley.exchange.peer;

import dev.medley.base.time.Clock;

/**
 * Decides whether a waiting rank polls again or sleeps, and counts how long it has waited since
 * something last moved. It polls for a few microseconds, about what a sleep costs. Polling for
 * longer takes a core from a peer that computes, and a yield gives a whole time slice away on a
 * busy machine. While the training thread computes, the exchange thread sleeps at once.
 */
final class Patience {
    private static final long HOT_NS = 5_000;

    private final Clock clock;

    private boolean isWaiting;
    private volatile boolean isEager;
    private long sinceNs;
    private long awakeSinceNs;
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
        }
    }

    /** Whether to look again at once; if not, it is time to sleep. */
    boolean looksAgain() {
        long now = clock.nowNs();
        if (!isWaiting) {
            isWaiting = true;
            sinceNs = now;
            awakeSinceNs = clock.awakeNs();
        }
        if (!isEager || now - sinceNs >= HOT_NS) {
            return false;
        }
        Thread.onSpinWait();
        return true;
    }

    /** Waking time since something last moved. */
    long silentNs() {
        return isWaiting ? clock.awakeNs() - awakeSinceNs : 0;
    }

    /** Time spent waiting since the last call, up to the last movement. */
    long takeWaitedNs() {
        long taken = waitedNs;
        waitedNs = 0;
        return taken;
    }
}
