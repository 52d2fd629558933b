package dev.medley.onnx.engine;

import java.util.concurrent.locks.LockSupport;

/** Sets how much of a core a trial of engines takes. */
public enum Pace {
    /** All of it: nobody else needs it. */
    FULL,
    /** A quarter: others answer meanwhile, and find the core free when they need it. */
    QUARTER;

    private static final long LONGEST_NS = 50_000_000;

    /** How long it rests after a computation. */
    long restNs(long tookNs) {
        return this == FULL ? 0 : Math.min(LONGEST_NS, 3 * tookNs);
    }

    /** Rests for that long, or somewhat less. */
    void rest(long tookNs) {
        if (this != FULL) {
            LockSupport.parkNanos(restNs(tookNs));
        }
    }
}
