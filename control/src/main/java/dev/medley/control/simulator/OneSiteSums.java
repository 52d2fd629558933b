package dev.medley.control.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * Sums within one site: short slices go from everyone to everyone, long ones round a ring, one
 * slice after the other (docs/exchange.md, "Over TCP"). A ring of few ranks is simulated message by
 * message, 2(n-1) for each rank; of a larger one only its ends: all begin when the last does, the
 * busiest connection carries 2(n-1)/n of the slice, and the chain of 2(n-1) hops has its latencies.
 */
final class OneSiteSums implements Sums {
    /** Up to here everyone sends to everyone, as {@code ExchangeOptions} has it. */
    static final double DIRECT_BYTES = 64 << 10;

    /** Largest ring that is simulated message by message. */
    static final int MOST_RANKS_BY_MESSAGE = 16;

    private final EventQueue events;
    private final Fabric fabric;
    private final List<Slice> slices;
    private final Listener listener;
    private final int[] handed;
    private final int[] next;
    private final List<Course> courses = new ArrayList<>();

    OneSiteSums(EventQueue events, Fabric fabric, List<Slice> slices, Listener listener) {
        this.events = events;
        this.fabric = fabric;
        this.slices = slices;
        this.listener = listener;
        this.handed = new int[fabric.size()];
        this.next = new int[fabric.size()];
    }

    @Override
    public void begin() {
        java.util.Arrays.fill(handed, 0);
        java.util.Arrays.fill(next, 0);
        courses.clear();
        for (int slice = 0; slice < slices.size(); slice++) {
            courses.add(course(slice));
        }
    }

    private Course course(int slice) {
        if (slices.get(slice).bytes() <= DIRECT_BYTES) {
            int others = fabric.size() - 1;
            return new Together(slice, others * slices.get(slice).bytes(), 1, others);
        }
        return fabric.size() <= MOST_RANKS_BY_MESSAGE ? new Ring(slice) : wholeRing(slice);
    }

    private Course wholeRing(int slice) {
        int hops = 2 * (fabric.size() - 1);
        double sent = (double) hops / fabric.size() * slices.get(slice).bytes();
        return new Together(slice, sent, hops, 1);
    }

    @Override
    public void handOver(int rank, int slice) {
        handed[rank]++;
        if (next[rank] == slice) {
            courses.get(slice).enter(rank);
        }
    }

    private void leave(int rank, int slice) {
        next[rank]++;
        listener.summed(rank, slice);
        if (next[rank] < handed[rank]) {
            courses.get(next[rank]).enter(rank);
        }
    }

    /** How one slice is summed. */
    private interface Course {
        void enter(int rank);
    }

    /** Everyone's part moves at once and is complete when the last one's has come. */
    private final class Together implements Course {
        private final int slice;
        private final double bytes;
        private final int hops;
        private final int messages;
        private int entered;
        private double lastNs;

        Together(int slice, double bytes, int hops, int messages) {
            this.slice = slice;
            this.bytes = bytes;
            this.hops = hops;
            this.messages = messages;
        }

        @Override
        public void enter(int rank) {
            double moved = fabric.exchanged(rank, events.nowNs(), bytes, bytes);
            double chain = (hops - 1) * Costs.MESSAGE_NS + hops * fabric.latencyNs(0, 0);
            lastNs = Math.max(lastNs, moved + chain);
            if (++entered == fabric.size()) {
                events.at(lastNs, this::arrived);
            }
        }

        private void arrived() {
            for (int rank = 0; rank < fabric.size(); rank++) {
                int here = rank;
                double core = messages * Costs.MESSAGE_NS + bytes * Costs.BYTE_NS;
                double done = fabric.processor(rank).handled(events.nowNs(), core);
                events.at(done, () -> leave(here, slice));
            }
        }
    }

    /** A ring, message by message. What comes before a rank has entered waits in its kernel. */
    private final class Ring implements Course {
        private final int slice;
        private final int steps = 2 * (fabric.size() - 1);
        private final double partBytes;
        private final boolean[] entered = new boolean[fabric.size()];
        private final int[] waiting = new int[fabric.size()];

        Ring(int slice) {
            this.slice = slice;
            this.partBytes = slices.get(slice).bytes() / fabric.size();
        }

        @Override
        public void enter(int rank) {
            entered[rank] = true;
            send(rank, 0);
            for (int step = 0; step < waiting[rank]; step++) {
                take(rank, step);
            }
        }

        private void send(int rank, int step) {
            int to = (rank + 1) % fabric.size();
            double there = fabric.delivered(rank, to, events.nowNs(), partBytes);
            events.at(there, () -> arrive(to, step));
        }

        private void arrive(int rank, int step) {
            if (entered[rank]) {
                take(rank, step);
            } else {
                waiting[rank] = step + 1;
            }
        }

        private void take(int rank, int step) {
            double core = Costs.MESSAGE_NS + partBytes * Costs.BYTE_NS;
            double done = fabric.processor(rank).handled(events.nowNs(), core);
            events.at(done, () -> taken(rank, step));
        }

        private void taken(int rank, int step) {
            if (step + 1 < steps) {
                send(rank, step + 1);
            } else {
                leave(rank, slice);
            }
        }
    }
}
