package dev.medley.base.time;

/**
 * Gives the time, as an argument. Only {@link #system()} reads the machine's clocks, so that tests
 * and the simulator can put virtual time in its place.
 */
public interface Clock {
    /** Nanoseconds from an arbitrary origin; never goes backwards. For durations and deadlines. */
    long nowNs();

    /**
     * The same without the time for which this process did not run, since it was stopped, or its
     * machine was suspended or paused. For deadlines by which others are judged: who slept himself
     * does not count his own sleep as theirs. Compare it with itself only.
     */
    default long awakeNs() {
        return nowNs();
    }

    /** Milliseconds since 1970-01-01 UTC. For records that people read; never for durations. */
    long wallMillis();

    /** The clock of this machine. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
