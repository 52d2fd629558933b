package dev.medley.plan.simulator.round;

import dev.medley.base.route.Neighbours;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the letters of gossip. After some inner batches a worker takes in what has come, and
 * sends its parameters with some of its weight to one neighbour, as the product's own {@link
 * Neighbours} says. It sends nothing while that would leave it less than a half, or while two of
 * its letters are under way to that neighbour. A worker that has ended a round continues with the
 * next, until the sum is there or that round has ended too. Its part of the sum leaves between two
 * batches, when all have ended the round (docs/gossip.md).
 */
public final class GossipLetters implements RoundActivity {
    private static final double LEAST_WEIGHT = 0.5;
    private static final double LEAST_LETTER = 0.25;
    private static final int MOST_UNDER_WAY = 2;

    private final EventQueue events;
    private final Fabric fabric;
    private final double bytes;
    private final int mixEvery;
    private final int slices;
    private final long seed;
    private final List<Member> members = new ArrayList<>();
    private final Map<Long, Integer> underWay = new HashMap<>();
    private Neighbours neighbours;
    private long round;
    private int ended;
    private int travelling;
    private boolean isComplete;

    /**
     * Letters of all workers.
     *
     * @param bytes of the parameters
     * @param mixEvery inner batches between two letters of a worker
     * @param slices of which the sum of a round is made
     */
    public GossipLetters(
            EventQueue events, Fabric fabric, double bytes, int mixEvery, int slices, long seed) {
        this.events = events;
        this.fabric = fabric;
        this.bytes = bytes;
        this.mixEvery = mixEvery;
        this.slices = slices;
        this.seed = seed;
        for (int rank = 0; rank < fabric.size(); rank++) {
            members.add(new Member(rank));
        }
        neighbours = new Neighbours(seed, round, fabric.size());
    }

    @Override
    public void formed() {
        members.forEach(Member::formed);
    }

    @Override
    public void begin(List<Integer> shares) {
        neighbours = new Neighbours(seed, ++round, fabric.size());
        ended = 0;
        isComplete = false;
        members.forEach(Member::begin);
    }

    @Override
    public void take(Turn turn, DoubleConsumer whenDone) {
        members.get(turn.rank()).take(turn, whenDone);
    }

    @Override
    public void summed(int rank, int slice) {
        members.get(rank).summed++;
    }

    /** The batch that it is in comes first. */
    @Override
    public double freeNs(int rank) {
        return members.get(rank).busyUntilNs;
    }

    /** All have told that they have ended the round, and have what was sent within it. */
    private void completeIfAllIsThere() {
        if (ended == members.size() && travelling == 0) {
            ended = 0; // Once a round.
            events.at(events.nowNs() + farthestNs(), this::complete);
        }
    }

    private void complete() {
        isComplete = true;
        members.stream().filter(member -> member.isIdle).forEach(Member::next);
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

    /** One worker's way from round to round. */
    private final class Member {
        private final int rank;
        private double weight = 1;
        private double arrived;
        private long numbers;

        /** Batches of the round under way, and of the next. */
        private int taken;

        private int ahead;

        private boolean hasEnded;
        private boolean hasLeft;
        private boolean isIdle;
        private int summed;

        /** What they took to compute. */
        private double computeNs;

        private double aheadNs;
        private double busyUntilNs;
        private @Nullable Turn turn;
        private DoubleConsumer done = ns -> {};

        Member(int rank) {
            this.rank = rank;
        }

        void formed() {
            ahead = 0;
            aheadNs = 0;
            weight = 1;
            arrived = 0;
        }

        void begin() {
            taken = ahead;
            computeNs = aheadNs;
            ahead = 0;
            aheadNs = 0;
            hasEnded = false;
            hasLeft = false;
            isIdle = false;
            summed = 0;
            numbers = taken / mixEvery;
        }

        void take(Turn ofRound, DoubleConsumer whenDone) {
            turn = ofRound;
            done = whenDone;
            next();
        }

        /**
         * What is due between two batches, and then the next batch, of which round there is one.
         */
        private void next() {
            Turn of = turn;
            if (of == null) {
                return;
            }
            if (!hasEnded && taken >= of.steps()) {
                hasEnded = true;
                ended++;
                completeIfAllIsThere();
            }
            if (hasEnded && isComplete && !hasLeft) {
                hasLeft = true;
                done.accept(computeNs);
            }
            boolean isSummed = hasLeft && summed == slices;
            isIdle = isSummed || (hasEnded && ahead >= of.steps());
            if (!isIdle) {
                compute(of);
            }
        }

        private void compute(Turn of) {
            double now = events.nowNs();
            busyUntilNs = fabric.processor(rank).compute(now, of.stepNs().getAsDouble());
            if (hasEnded) {
                aheadNs += busyUntilNs - now;
            } else {
                computeNs += busyUntilNs - now;
            }
            events.at(busyUntilNs, this::computed);
        }

        private void computed() {
            fabric.processor(rank).rest();
            int count = hasEnded ? ++ahead : ++taken;
            if (count % mixEvery != 0 || members.size() == 1) {
                next();
                return;
            }
            double mixing = arrived > 0 ? bytes * Costs.BYTE_NS : 0; // One pass over what came.
            weight += arrived;
            arrived = 0;
            double core = mixing + Costs.MESSAGE_NS;
            double mixed = fabric.processor(rank).handled(events.nowNs(), core);
            send();
            events.at(mixed, this::next);
        }

        private void send() {
            int to = neighbours.of(rank, numbers++);
            boolean isFull = underWay.getOrDefault(way(to), 0) >= MOST_UNDER_WAY;
            double spare = Math.min(weight / 2, weight - LEAST_WEIGHT);
            if (to == rank || isFull || spare < LEAST_LETTER) {
                return;
            }
            weight -= spare;
            underWay.merge(way(to), 1, Integer::sum);
            boolean isOfThisRound = !hasEnded;
            travelling += isOfThisRound ? 1 : 0;
            Runnable arrival = () -> arrived(to, spare, isOfThisRound);
            events.at(
                    handledNs(rank),
                    () ->
                            events.at(
                                    fabric.delivered(rank, to, events.nowNs(), bytes),
                                    () -> events.at(handledNs(to), arrival)));
        }

        private void arrived(int to, double weightOfLetter, boolean isOfThisRound) {
            members.get(to).arrived += weightOfLetter;
            underWay.merge(way(to), -1, Integer::sum);
            travelling -= isOfThisRound ? 1 : 0;
            completeIfAllIsThere();
        }

        private long way(int to) {
            return ((long) rank << Integer.SIZE) + to;
        }
    }

    /** Each end of a letter takes so much of a core, beside computing. */
    private double handledNs(int rank) {
        return fabric.processor(rank).handled(events.nowNs(), bytes * Costs.LETTER_BYTE_NS);
    }
}
