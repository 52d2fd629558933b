package dev.medley.onnx.engine;

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
}
