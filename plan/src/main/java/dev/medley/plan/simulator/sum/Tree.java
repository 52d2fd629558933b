package dev.medley.plan.simulator.sum;

import dev.medley.base.route.TreeHop;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** Sums one slice by a tree, message by message ({@link TreeHop}), each as long as the slice. */
public final class Tree implements SliceSum {
    private final EventQueue events;
    private final Fabric fabric;
    private final double bytes;
    private final IntConsumer done;
    private final List<List<TreeHop>> hops = new ArrayList<>();
    private final boolean[] entered;
    private final int[] next;

    /** What has come and was not taken yet; between two ranks there is one message each way. */
    private final Set<Message> waiting = new HashSet<>();

    private record Message(int from, int to) {}

    /** Sums so many bytes; {@code done} hears of each rank that has the sum. */
    public Tree(EventQueue events, Fabric fabric, double bytes, IntConsumer done) {
        this.events = events;
        this.fabric = fabric;
        this.bytes = bytes;
        this.done = done;
        this.entered = new boolean[fabric.size()];
        this.next = new int[fabric.size()];
        for (int rank = 0; rank < fabric.size(); rank++) {
            hops.add(TreeHop.of(rank, fabric.size()));
        }
    }

    @Override
    public void enter(int rank) {
        entered[rank] = true;
        begin(rank);
    }

    private void begin(int rank) {
        if (next[rank] == hops.get(rank).size()) {
            done.accept(rank);
            return;
        }
        TreeHop hop = hops.get(rank).get(next[rank]);
        if (hop.gives()) {
            int to = hop.place();
            double there = fabric.delivered(rank, to, events.nowNs(), bytes);
            events.at(there, () -> arrive(new Message(rank, to)));
        }
        if (hop.hears()) {
            take(rank);
        } else {
            next[rank]++;
            begin(rank);
        }
    }

    private void arrive(Message message) {
        waiting.add(message);
        if (entered[message.to()]) {
            take(message.to());
        }
    }

    /** Takes what the present hop waits for, if it is there. */
    private void take(int rank) {
        boolean isThrough = next[rank] == hops.get(rank).size();
        if (!isThrough
                && waiting.remove(new Message(hops.get(rank).get(next[rank]).place(), rank))) {
            double core = Costs.MESSAGE_NS + bytes * Costs.BYTE_NS;
            double taken = fabric.processor(rank).handled(events.nowNs(), core);
            events.at(
                    taken,
                    () -> {
                        next[rank]++;
                        begin(rank);
                    });
        }
    }
}
