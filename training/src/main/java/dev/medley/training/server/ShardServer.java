package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Clocks;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.exchange.post.Letter;
import dev.medley.tensor.optimizer.ParameterShard;
import dev.medley.training.strategy.Memory;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves one shard of the parameters within rounds: takes gradients in, moves its parameters, and
 * answers each push with them when the worker may continue.
 *
 * <p>Bulk: the pushes that are due by the end of a clock are added, each worker's in its order, the
 * workers' in order of rank, and applied at once: g = sum(G_i) / sum(b_i), as in data parallelism.
 * So the numbers do not depend on which came first: each worker is answered with the parameters of
 * the clock in which its push was due.
 *
 * <p>Stale and async: each push is applied as it comes, at a rate in proportion to its samples:
 * pushes of one clock together move as far as one batch of that clock. Async divides the rate by
 * the clocks that the others have applied since the worker got its parameters, if more than one
 * (staleness-aware, Zhang et al., IJCAI 2016, arXiv 1511.05950).
 *
 * <p>Its clients are workers, by rank, or sites whose pushes are those of their workers, merged. A
 * site says with each push what its gradients began from, since that is older than the last answer
 * to it.
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
    private final Clients clients;

    // Guarded by this.
    private final PushSlots slots;
    private final @Nullable Letter[] early;
    private final boolean[] isUnanswered;
    private final double[] versions;
    private @Nullable Clocks clocks;
    private long step;
    private long clock;
    private double version;

    private volatile boolean isDone;

    /** Those who push. Called under the server's monitor. */
    interface Clients {
        /** How many, numbered from 0. */
        int count();

        /** Whether they are sites, whose letters say as their scale what they began from. */
        boolean areSites();

        /** Sends an answer: {@link #PARAMETERS}, of the version {@code weight}. */
        void answer(int client, Letter letter);

        /** All pushes of the round are applied. */
        void done();
    }

    ShardServer(AsyncSpec rule, ParameterShard shard, ElementType type, Clients clients) {
        this.rule = rule;
        this.shard = shard;
        this.type = type;
        this.clients = clients;
        int count = clients.count();
        slots = new PushSlots(count, type);
        early = new Letter[count];
        isUnanswered = new boolean[count];
        versions = new double[count];
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
        for (int client = 0; client < early.length; client++) {
            Letter letter = early[client];
            if (letter != null) {
                early[client] = null;
                take(client, letter);
            }
        }
        goOn(ofRound);
    }

    /** A push has come; of a round that has not begun here, it is kept until it does. */
    synchronized void pushed(int from, Letter letter) {
        Clocks round = clocks;
        if (round == null || letter.step() != step || isDone) {
            early[from] = letter.with(slots.keep(from, letter.body()));
            return;
        }
        take(from, letter);
        goOn(round);
    }

    /** Whether all pushes of the round are applied. From any thread, without waiting. */
    boolean isDone() {
        return isDone;
    }

    /** The client that the round waits for. */
    synchronized int slowest() {
        return clocks == null ? 0 : clocks.slowest();
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
        double scale = clients.areSites() ? 1 : push.scale();
        if (hasGradient && rule.sync() == Sync.BULK) {
            slots.add(from, push, scale, round.due(from, push.number()));
        } else if (hasGradient) {
            double basis = clients.areSites() ? push.scale() : versions[from];
            applyNow(push, scale, version - basis);
            version += round.clocksOf(from, push.number() - round.pushed(from));
        }
        round.moved(from, push.number());
    }

    private void applyNow(Letter push, double scale, double staleness) {
        Memory.combine(push.body(), push.body(), shard.gradients(), type, (x, same) -> scale * x);
        double divided = rule.sync() == Sync.ASYNC ? Math.max(1, staleness) : 1;
        shard.apply(push.rate() / divided, push.weight());
    }

    private void goOn(Clocks round) {
        answerAll(round);
        if (rule.sync() == Sync.BULK) {
            while (clock < round.total() && round.isComplete(clock + 1)) {
                clock++;
                PushSlots.Sum sum = slots.take(clock, shard.gradients());
                if (sum.weight() > 0) {
                    shard.apply(sum.rate(), sum.weight());
                }
                // Before the next clock, which may be complete already: whoever pushed for this
                // one goes on from what it left, whether others were early or late.
                answerAll(round);
            }
        }
        if (round.isDone()) {
            isDone = true;
            clients.done();
        }
    }

    private void answerAll(Clocks round) {
        for (int client = 0; client < isUnanswered.length; client++) {
            if (isUnanswered[client] && mayGoOn(round, client)) {
                answer(round, client);
            }
        }
    }

    private boolean mayGoOn(Clocks round, int client) {
        boolean isLast = round.pushed(client) == round.pushes(client);
        return switch (rule.sync()) {
            case BULK -> isLast || round.mayBeginInOrder(client, clock);
            case STALE -> isLast || round.mayBegin(client, rule.staleness());
            case ASYNC -> true;
        };
    }

    private void answer(Clocks round, int to) {
        long number = round.pushed(to);
        boolean isLast = number == round.pushes(to);
        isUnanswered[to] = false;
        versions[to] = version;
        long slowest = round.pushed(round.slowest());
        Span body = isLast ? shard.parameters().slice(0, 0) : shard.parameters();
        clients.answer(to, new Letter(PARAMETERS, step, number, version, slowest, 0, body));
    }
}
