package dev.medley.base;

/**
 * Time as an argument. Only {@link #system()} reads the machine's clocks, so that tests and the
 * simulator can put virtual time in its place.
 */
public interface Clock {
    /** Nanoseconds from an arbitrary origin; never goes backwards. For durations and deadlines. */
    long nowNs();

    /** Milliseconds since 1970-01-01 UTC. For records that people read; never for durations. */
    long wallMillis();

    /** The clock of this machine. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
