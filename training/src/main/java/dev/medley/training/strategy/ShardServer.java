package dev.medley.training.strategy;

import dev.medley.base.job.AsyncSpec;
import dev.medley.base.job.AsyncSpec.Sync;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.optimizer.ParameterShard;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One server's shard of the parameters within rounds: takes gradients in, moves its parameters, and
 * answers each push with them as soon as the worker may go on.
 *
 * <p>Bulk: the pushes that are due by the end of a clock are added, each worker's in its order, the
 * workers' in order of rank, and applied at once: g = sum(G_i) / sum(b_i), as in data parallelism.
 * So the numbers do not depend on who came first.
 *
 * <p>Stale and async: each push is applied as it comes, at a rate in proportion to its samples:
 * pushes of one clock together move as far as one batch of that clock. Async divides the rate by
 * the clocks that the others have applied since the worker got its parameters, if more than one
 * (staleness-aware, Zhang et al., IJCAI 2016, arXiv 1511.05950).
 *
 * <p>Thread: the post's thread brings letters, the training thread begins rounds; a monitor.
 */
final class ShardServer implements AutoCloseable {
    /** A gradient, or that a worker gives up its part of the round. */
    static final int PUSH = 1;

    /** Parameters, in answer to a push; none in answer to a worker's last. */
    static final int PARAMETERS = 2;

    private final AsyncSpec rule;
    private final ParameterShard shard;
    private final ElementType type;
    private final Post post;

    // Guarded by this.
    private final @Nullable Span[] slots;
    private final @Nullable Letter[] early;
    private final boolean[] isUnanswered;
    private final long[] dues;
    private final double[] weights;
    private final double[] rates;
    private final double[] versions;
    private @Nullable Clocks clocks;
    private long step;
    private long clock;
    private double version;

    private volatile boolean isDone;

    ShardServer(AsyncSpec rule, ParameterShard shard, ElementType type, Post post) {
        this.rule = rule;
        this.shard = shard;
        this.type = type;
        this.post = post;
        int size = post.size();
        slots = new Span[size];
        early = new Letter[size];
        isUnanswered = new boolean[size];
        dues = new long[size];
        weights = new double[size];
        rates = new double[size];
        versions = new double[size];
    }

    /** A round begins, with parameters that all have alike. */
    synchronized void begin(long ofStep, Clocks ofRound, Span parameters) {
        shard.parameters().copyFrom(parameters);
        step = ofStep;
        clocks = ofRound;
        clock = 0;
        version = 0;
        isDone = false;
        Arrays.fill(versions, 0);
        for (int rank = 0; rank < early.length; rank++) {
            Letter letter = early[rank];
            if (letter != null) {
                early[rank] = null;
                take(rank, letter);
            }
        }
        goOn(ofRound);
    }

    /** A push has come; of a round that has not begun here, it is kept until it does. */
    synchronized void pushed(int from, Letter letter) {
        Clocks round = clocks;
        if (round == null || letter.step() != step || isDone) {
            early[from] = letter.with(kept(from, letter.body()));
            return;
        }
        take(from, letter);
        goOn(round);
    }

    /** Whether all pushes of the round are applied. From any thread, without waiting. */
    boolean isDone() {
        return isDone;
    }

    /** Whom the round waits for. */
    synchronized int slowest() {
        return clocks == null ? post.rank() : clocks.slowest();
    }

    /** The parameters at the end of a round. */
    synchronized void copyTo(Span into) {
        into.copyFrom(shard.parameters());
    }

    @Override
    public synchronized void close() {
        clocks = null;
        shard.close();
    }

    private void take(int from, Letter push) {
        Clocks round = Objects.requireNonNull(clocks);
        isUnanswered[from] = true;
        boolean hasGradient = push.weight() > 0;
        if (hasGradient && rule.sync() == Sync.BULK) {
            add(from, push);
            dues[from] = round.due(from, push.number());
        } else if (hasGradient) {
            applyNow(from, push);
            version += round.clocksOfPush();
        }
        round.moved(from, push.number());
    }

    /** Adds to what the worker has pushed for this clock. */
    private void add(int from, Letter push) {
        double scale = push.scale();
        Span slot = slots[from];
        if (weights[from] == 0 || slot == null) {
            slot = slot == null ? Span.allocate(push.body().bytes()) : slot;
            slots[from] = slot;
            rates[from] = push.rate();
            Memory.combine(push.body(), push.body(), slot, type, (x, same) -> scale * x);
        } else {
            Memory.combine(slot, push.body(), slot, type, (x, y) -> x + scale * y);
        }
        weights[from] += push.weight();
    }

    private void applyNow(int from, Letter push) {
        double scale = push.scale();
        Memory.combine(push.body(), push.body(), shard.gradients(), type, (x, same) -> scale * x);
        double staleness = version - versions[from];
        double divided = rule.sync() == Sync.ASYNC ? Math.max(1, staleness) : 1;
        shard.apply(push.rate() / divided, push.weight());
    }

    private void goOn(Clocks round) {
        if (rule.sync() == Sync.BULK) {
            while (clock < round.total() && round.isComplete(clock + 1)) {
                clock++;
                applySum();
            }
        }
        for (int rank = 0; rank < slots.length; rank++) {
            if (isUnanswered[rank] && mayGoOn(round, rank)) {
                answer(round, rank);
            }
        }
        if (round.isDone()) {
            isDone = true;
            post.changed();
        }
    }

    private void applySum() {
        double weight = 0;
        double rate = 0;
        Span gradient = shard.gradients();
        for (int rank = 0; rank < slots.length; rank++) {
            Span slot = slots[rank];
            if (weights[rank] > 0 && dues[rank] <= clock && slot != null) {
                if (weight == 0) {
                    rate = rates[rank];
                    gradient.copyFrom(slot);
                } else {
                    Memory.combine(gradient, slot, gradient, type, Double::sum);
                }
                weight += weights[rank];
                weights[rank] = 0;
            }
        }
        if (weight > 0) {
            shard.apply(rate, weight);
        }
    }

    private boolean mayGoOn(Clocks round, int rank) {
        boolean isLast = round.pushed(rank) == round.pushes(rank);
        return switch (rule.sync()) {
            case BULK -> isLast || round.mayBeginInOrder(rank, clock);
            case STALE -> isLast || round.mayBegin(rank, rule.staleness());
            case ASYNC -> true;
        };
    }

    private void answer(Clocks round, int to) {
        long number = round.pushed(to);
        boolean isLast = number == round.pushes(to);
        Letter receipt = Letter.empty(PARAMETERS, step, number);
        isUnanswered[to] = false;
        versions[to] = version;
        if (!post.offer(to, isLast ? receipt : receipt.with(shard.parameters()))) {
            throw new IllegalStateException("rank " + to + " pushed before it was answered");
        }
    }

    private Span kept(int from, Span body) {
        Span slot = slots[from];
        if (body.bytes() == 0) {
            return body;
        }
        if (slot == null) {
            slot = Span.allocate(body.bytes());
            slots[from] = slot;
        }
        slot.copyFrom(body);
        return slot;
    }
}
