package dev.medley.plan.simulator.round;

import dev.medley.base.strategy.AsyncSpec;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Simulates a parameter server (docs/parameter-server.md). After each inner batch a worker pushes
 * its gradient to all servers, each of which holds an n-th of the parameters, and continues with
 * their answers when it may. A worker has come to clock T j / H after j of its H pushes of a round
 * of T batches; the servers answer
 *
 * <pre>
 *     bulk    when all pushes are there that are due by the end of its clock
 *     stale   when it is at most s clocks ahead of the slowest
 *     async   at once
 * </pre>
 *
 * <p>Shards are equal. The bytes that a worker's connection carries for others as their server are
 * counted at its own pushes; one server at a time, each in turn, does the work of all for a push.
 * So a push costs a few transfers and not n.
 */
public final class ServerPushes implements RoundActivity {
    private final EventQueue events;
    private final Fabric fabric;
    private final double bytes;
    private final AsyncSpec spec;
    private final long clocks;
    private final Turn[] turns;
    private final DoubleConsumer[] done;
    private final long[] pushed;
    private final double[] computeNs;
    private final Deque<Integer> waiting = new ArrayDeque<>();

    /** How far each rank has come, for those who wait for it. */
    private final MinimumByRank stands;

    private int finished;
    private int served;

    /**
     * Pushes of all workers.
     *
     * @param bytes of the parameters
     * @param clocks of a round, batches of {@code train.batch} samples
     */
    public ServerPushes(
            EventQueue events, Fabric fabric, double bytes, AsyncSpec spec, int clocks) {
        this.events = events;
        this.fabric = fabric;
        this.bytes = bytes;
        this.spec = spec;
        this.clocks = clocks;
        turns = new Turn[fabric.size()];
        done = new DoubleConsumer[fabric.size()];
        pushed = new long[fabric.size()];
        computeNs = new double[fabric.size()];
        stands = new MinimumByRank(fabric.size());
    }

    @Override
    public void begin(List<Integer> shares) {
        Arrays.fill(turns, null);
        Arrays.fill(pushed, 0);
        stands.clear();
        Arrays.fill(computeNs, 0);
        finished = 0;
    }

    @Override
    public void take(Turn turn, DoubleConsumer whenDone) {
        turns[turn.rank()] = turn;
        done[turn.rank()] = whenDone;
        next(turn);
        if (moved(turn.rank())) {
            release(); // One without samples has given all.
        }
    }

    /** Whether all have come further by what a rank did. */
    private boolean moved(int rank) {
        return stands.set(rank, spec.sync() == AsyncSpec.Sync.BULK ? whole(rank) : clock(rank));
    }

    private void next(Turn turn) {
        int rank = turn.rank();
        if (pushed[rank] == turn.steps()) {
            finish();
            return;
        }
        double now = events.nowNs();
        double until = fabric.processor(rank).compute(now, turn.stepNs().getAsDouble());
        computeNs[rank] += until - now;
        events.at(
                until,
                () -> {
                    fabric.processor(rank).rest();
                    events.at(
                            handled(rank),
                            () ->
                                    travel(
                                            rank,
                                            Direction.TO_SERVERS,
                                            () ->
                                                    events.at(
                                                            handled(server()),
                                                            () -> applied(turn))));
                });
    }

    /** One end of what goes to all shards or comes from them; its own it need not send. */
    private double handled(int rank) {
        double others = fabric.size() - 1.0;
        double sent = others / fabric.size() * bytes;
        double coreNs = sent * Costs.LETTER_BYTE_NS + others * Costs.MESSAGE_NS;
        return fabric.processor(rank).handled(events.nowNs(), coreNs);
    }

    /** The rank that stands for all servers of a push or an answer: each in turn. */
    private int server() {
        served = (served + 1) % fabric.size();
        return served;
    }

    private void applied(Turn turn) {
        pushed[turn.rank()]++;
        waiting.add(turn.rank());
        if (moved(turn.rank())) {
            release();
        } else if (mayGoOn(turn.rank())) {
            waiting.removeLast();
            answer(turn.rank());
        }
    }

    private void release() {
        for (int i = waiting.size(); i > 0; i--) {
            int rank = waiting.remove();
            if (mayGoOn(rank)) {
                answer(rank);
            } else {
                waiting.add(rank);
            }
        }
    }

    private void answer(int rank) {
        Turn turn = turns[rank];
        if (pushed[rank] == turn.steps()) {
            finish(); // Nothing is asked of the last answer.
            return;
        }
        events.at(
                handled(server()),
                () ->
                        travel(
                                rank,
                                Direction.TO_WORKER,
                                () -> events.at(handled(rank), () -> next(turn))));
    }

    /** A round ends when all have given all. */
    private void finish() {
        if (++finished < turns.length) {
            return;
        }
        for (int rank = 0; rank < turns.length; rank++) {
            done[rank].accept(computeNs[rank]);
        }
    }

    private boolean mayGoOn(int rank) {
        long of = turns[rank].steps();
        boolean isLast = pushed[rank] == of;
        return switch (spec.sync()) {
            case ASYNC -> true;
            case STALE -> isLast || clock(rank) - stands.least() <= spec.staleness();
            case BULK -> isLast || stands.least() >= due(rank, pushed[rank]) || isSameClock(rank);
        };
    }

    private boolean isSameClock(int rank) {
        return due(rank, pushed[rank]) == due(rank, pushed[rank] + 1);
    }

    /** The first clock, from 1, by whose end a push has to be there. */
    private long due(int rank, long push) {
        long of = turns[rank].steps();
        return (push * clocks + of - 1) / of;
    }

    /** Clocks of which a rank has given all pushes that are due. */
    private long whole(int rank) {
        return pushed[rank] < turns[rank].steps() ? due(rank, pushed[rank] + 1) - 1 : clocks;
    }

    private double clock(int rank) {
        Turn turn = turns[rank];
        return turn.steps() == 0 ? clocks : (double) clocks * pushed[rank] / turn.steps();
    }

    private enum Direction {
        TO_SERVERS,
        TO_WORKER
    }

    private void travel(int rank, Direction direction, Runnable then) {
        events.at(travelled(rank, direction), then);
    }

    /** When the parts of all shards are there that leave now. */
    private double travelled(int rank, Direction direction) {
        int size = fabric.size();
        double now = events.nowNs();
        double others = bytes * (size - 1) / size;
        double last = fabric.exchanged(rank, now, others, others);
        int here = fabric.siteOf(rank);
        for (int site = 0; site < fabric.sites().sites(); site++) {
            int servers = fabric.sites().at(site).size();
            if (site == here) {
                last = Math.max(last, now + (servers > 1 ? fabric.wayNs(here, here, 0) : 0));
                continue;
            }
            double part = bytes / size;
            int from = direction == Direction.TO_SERVERS ? here : site;
            int to = direction == Direction.TO_SERVERS ? site : here;
            double left = fabric.between(from, to).send(now, part * servers, servers);
            last = Math.max(last, left + fabric.wayNs(from, to, part));
        }
        return last;
    }
}
