package dev.medley.plan.simulator.fabric;

import java.util.PriorityQueue;

/**
 * Runs events in the order of virtual time; of events of the same moment the one announced first.
 */
public final class EventQueue {
    private record Event(double ns, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(ns, other.ns);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private double nowNs;
    private long announced;

    /** The virtual time. */
    public double nowNs() {
        return nowNs;
    }

    /** Runs an action at that virtual time; of two at the same time, the one announced first. */
    public void at(double ns, Runnable action) {
        events.add(new Event(ns, announced++, action));
    }

    /** Until nothing is left to happen. */
    public void run() {
        for (Event next = events.poll(); next != null; next = events.poll()) {
            nowNs = next.ns;
            next.action.run();
        }
    }
}
