package dev.medley.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A clock that jumps to the next event. Events at the same time run in the order in which they were
 * asked for.
 */
final class VirtualTime {
    private record Due(long atNs, long order, Runnable action) {}

    private final PriorityQueue<Due> events =
            new PriorityQueue<>(Comparator.comparingLong(Due::atNs).thenComparingLong(Due::order));
    private long nowNs;
    private long orders;

    long nowNs() {
        return nowNs;
    }

    /** Runs {@code action} after {@code delayNs}. */
    void after(long delayNs, Runnable action) {
        at(nowNs + delayNs, action);
    }

    /** Runs {@code action} then. */
    void at(long atNs, Runnable action) {
        events.add(new Due(atNs, orders++, action));
    }

    /** All that exists sleeps for so long: what was due meanwhile happens afterwards, in order. */
    void sleep(long forNs) {
        nowNs += forNs;
    }

    /** Runs the next event; false if there is none. */
    boolean step() {
        Due next = events.poll();
        if (next == null) {
            return false;
        }
        nowNs = Math.max(nowNs, next.atNs());
        next.action().run();
        return true;
    }
}
