package dev.medley.control.agent;

import java.util.concurrent.TimeUnit;

/**
 * Spaces tries after failures: waits a second, and after each failure twice as long, up to half a
 * minute.
 */
final class Backoff {
    static final long LEAST_NS = TimeUnit.SECONDS.toNanos(1);
    static final long MOST_NS = TimeUnit.SECONDS.toNanos(30);

    private final long leastNs;
    private long nextNs;

    /** The usual patience. */
    Backoff() {
        this(LEAST_NS);
    }

    /** Beginning with that wait. */
    Backoff(long leastNs) {
        this.leastNs = leastNs;
        this.nextNs = leastNs;
    }

    /** The first wait. */
    long leastNs() {
        return leastNs;
    }

    /** It failed once more: the time to wait now. */
    long failed() {
        long waitNs = nextNs;
        nextNs = Math.min(2 * nextNs, MOST_NS / LEAST_NS * leastNs);
        return waitNs;
    }

    /** It came to something: the next failure is a first one. */
    void succeeded() {
        nextNs = leastNs;
    }
}
