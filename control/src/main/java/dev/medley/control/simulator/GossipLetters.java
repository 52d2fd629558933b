package dev.medley.control.simulator;

import dev.medley.base.route.Neighbours;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/**
 * Gossip: after some inner batches a worker takes in what has come, and sends its parameters with
 * half of its weight to one neighbour, as the product's own {@link Neighbours} says. It sends
 * nothing while its weight is below a half, or the neighbour has two of its letters unread. Nobody
 * waits but at the end of a round, until all letters have arrived (docs/gossip.md).
 */
final class GossipLetters implements Within {
    private static final double LEAST_WEIGHT = 0.5;
    private static final int MOST_UNREAD = 2;

    private final EventQueue events;
    private final Fabric fabric;
    private final double bytes;
    private final int mixEvery;
    private final long seed;
    private final double[] weight;
    private final long[] numbers;
    private final int[] taken;
    private final double[] computeNs;
    private final DoubleConsumer[] done;
    private final List<List<Letter>> inboxes = new ArrayList<>();
    private final Map<Long, Integer> unread = new HashMap<>();
    private Neighbours neighbours;
    private long round;
    private int finished;
    private int travelling;

    private record Letter(int from, double weight) {}

    /**
     * Letters of all workers.
     *
     * @param bytes of the parameters
     * @param mixEvery inner batches between two letters of a worker
     */
    GossipLetters(EventQueue events, Fabric fabric, double bytes, int mixEvery, long seed) {
        this.events = events;
        this.fabric = fabric;
        this.bytes = bytes;
        this.mixEvery = mixEvery;
        this.seed = seed;
        weight = new double[fabric.size()];
        numbers = new long[fabric.size()];
        taken = new int[fabric.size()];
        computeNs = new double[fabric.size()];
        done = new DoubleConsumer[fabric.size()];
        for (int rank = 0; rank < fabric.size(); rank++) {
            inboxes.add(new ArrayList<>());
        }
        neighbours = new Neighbours(seed, round, fabric.size());
    }

    @Override
    public void begin(List<Integer> shares) {
        neighbours = new Neighbours(seed, ++round, fabric.size());
        Arrays.fill(weight, 1);
        Arrays.fill(numbers, 0);
        Arrays.fill(taken, 0);
        Arrays.fill(computeNs, 0);
        inboxes.forEach(List::clear);
        unread.clear();
        finished = 0;
        travelling = 0;
    }

    @Override
    public void take(Turn turn, DoubleConsumer whenDone) {
        done[turn.rank()] = whenDone;
        next(turn);
    }

    private void next(Turn turn) {
        int rank = turn.rank();
        if (taken[rank] == turn.steps()) {
            finished++;
            endIfAllIsThere();
            return;
        }
        double now = events.nowNs();
        double until = fabric.processor(rank).compute(now, turn.stepNs().getAsDouble());
        computeNs[rank] += until - now;
        events.at(until, () -> taken(turn));
    }

    private void taken(Turn turn) {
        int rank = turn.rank();
        fabric.processor(rank).rest();
        if (++taken[rank] % mixEvery != 0 || fabric.size() == 1) {
            next(turn);
            return;
        }
        double mixing = takeIn(rank) ? bytes * Costs.BYTE_NS : 0; // One pass over what was added.
        double core = mixing + Costs.MESSAGE_NS;
        double mixed = fabric.processor(rank).handled(events.nowNs(), core);
        send(rank);
        events.at(mixed, () -> next(turn));
    }

    /** Whether letters were unread. */
    private boolean takeIn(int rank) {
        List<Letter> inbox = inboxes.get(rank);
        boolean isAny = !inbox.isEmpty();
        for (Letter letter : inbox) {
            weight[rank] += letter.weight();
            unread.merge(key(letter.from(), rank), -1, Integer::sum);
        }
        inbox.clear();
        return isAny;
    }

    private void send(int rank) {
        int to = neighbours.of(rank, numbers[rank]++);
        boolean isFull = unread.getOrDefault(key(rank, to), 0) >= MOST_UNREAD;
        if (to == rank || isFull || weight[rank] < LEAST_WEIGHT) {
            return;
        }
        weight[rank] /= 2;
        Letter letter = new Letter(rank, weight[rank]);
        unread.merge(key(rank, to), 1, Integer::sum);
        travelling++;
        events.at(
                handled(rank),
                () ->
                        events.at(
                                fabric.delivered(rank, to, events.nowNs(), bytes),
                                () -> events.at(handled(to), () -> arrived(letter, to))));
    }

    /** Each end of a letter takes so much of a core, beside computing. */
    private double handled(int rank) {
        return fabric.processor(rank).handled(events.nowNs(), bytes * Costs.LETTER_BYTE_NS);
    }

    private void arrived(Letter letter, int to) {
        inboxes.get(to).add(letter);
        travelling--;
        endIfAllIsThere();
    }

    private static long key(int from, int to) {
        return ((long) from << Integer.SIZE) + to;
    }

    /** Each has told all others that nothing more comes. */
    private void endIfAllIsThere() {
        if (finished < done.length || travelling > 0) {
            return;
        }
        finished = 0; // Once a round.
        double told = events.nowNs() + farthestNs();
        for (int rank = 0; rank < done.length; rank++) {
            int here = rank;
            events.at(told, () -> done[here].accept(computeNs[here]));
        }
    }

    private double farthestNs() {
        double farthest = 0;
        int sites = fabric.sites().sites();
        for (int from = 0; from < sites; from++) {
            for (int to = 0; to < sites; to++) {
                boolean isFar = from != to || fabric.sites().at(from).size() > 1;
                farthest = Math.max(farthest, isFar ? fabric.latencyNs(from, to) : 0);
            }
        }
        return farthest;
    }
}
