package dev.medley.simulation;

import dev.medley.base.time.Clock;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A clock that jumps to the next event. Events at the same time run in the order in which they were
 * asked for.
 */
final class VirtualTime implements Clock {
    private record Event(long atNs, long order, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(
                    Comparator.comparingLong(Event::atNs).thenComparingLong(Event::order));
    private long nowNs;
    private long orders;

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public long wallMillis() {
        return nowNs / 1_000_000;
    }

    /** Runs {@code action} after {@code delayNs}. */
    void after(long delayNs, Runnable action) {
        events.add(new Event(nowNs + delayNs, orders++, action));
    }

    /** All that exists sleeps for so long: what was due meanwhile happens afterwards, in order. */
    void sleep(long forNs) {
        nowNs += forNs;
    }

    /** Runs the next event; false if there is none. */
    boolean step() {
        Event next = events.poll();
        if (next == null) {
            return false;
        }
        nowNs = Math.max(nowNs, next.atNs());
        next.action().run();
        return true;
    }
}
