package dev.medley.benchmarks.serving;

/** Sends requests, as many at a time as there is room for. */
interface CallPool extends AutoCloseable {
    /** Whether one may be sent now. */
    boolean hasRoom();

    /** Sends one that was due at a time of the clock. */
    void send(long dueNs);

    /** Takes answers, and waits at most so long for one. */
    void poll(long waitNs, LoadTally tally);

    /** Requests that are not answered. */
    int underWay();

    @Override
    void close();
}
