package dev.medley.training.strategy;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.job.AsyncSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.tensor.optimizer.ParameterShard;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A parameter server (Li et al., OSDI 2014) within rounds. Each member holds a shard of the
 * parameters and moves it; after each batch a worker pushes the shards' parts of its gradient to
 * all members, and goes on with what they answer. Nobody waits for the whole group but at the end
 * of a round, where each server's change travels in the gradient's place and all take it:
 *
 * <pre>
 *     theta_k = server k's shard at the end of the round
 *     theta = theta - sum over k of (theta - theta_k), each zero outside its shard
 * </pre>
 *
 * <p>So a round is applied by all or none, like a step, and leaves equal parameters on all members.
 * Whom a worker waits for within a round is {@link ShardServer}'s and {@link Clocks}' to say. The
 * servers' moments begin anew with every group, like those of {@link LocalSteps}.
 *
 * <p>Memory of a member beside data parallelism, P for the parameters, n members: P for the start
 * of the round, P/n with moments for its shard, P for what came early or waits for others, 4 P for
 * letters under way.
 *
 * <p>Thread: the training thread; {@link #received} on the post's.
 */
public final class ParameterServer implements Strategy {
    /** The start, what came early, and letters under way: pushes and answers, two of each. */
    private static final int COPIES = 6;

    private final Replica replica;
    private final Optimizer outer;
    private final Settings settings;
    private final Passes passes;
    private final Span start;
    private final ElementType type;
    private final AtomicInteger missing = new AtomicInteger();

    // Of a group.
    private @Nullable Post post;
    private @Nullable ShardServer server;
    private ShardCut cut = ShardCut.of(0, List.of(1.0));

    // Guarded by this.
    private boolean isTakingParameters;
    private boolean[] hasAnswered = {};

    /**
     * How a server moves its parameters.
     *
     * @param optimizer of each shard
     * @param async whom it waits for
     * @param batch samples of a clock, {@code train.batch}
     * @param clipNorm largest norm of a pushed mean gradient; 0 for no limit
     * @param members that are to share the parameters; a group may have fewer
     */
    public record Settings(
            OptimizerSpec optimizer, AsyncSpec async, int batch, double clipNorm, int members) {}

    /** A worker and server of a group that has not begun. */
    public ParameterServer(Replica replica, Settings settings) {
        this.replica = replica;
        this.settings = settings;
        this.type = replica.layout().type();
        this.outer = JointChange.optimizer(replica);
        this.passes = new Passes(replica);
        this.start = Span.allocate(replica.parameters().bytes());
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("a parameter server needs a post");
    }

    @Override
    public void formed(Group group, Collective collective) {
        Post of = Objects.requireNonNull(collective.post(), "the group has no post");
        closeServer();
        cut = ShardCut.of(replica.layout().elements(), Collections.nCopies(of.size(), 1.0));
        int rank = of.rank();
        server =
                new ShardServer(
                        settings.async(),
                        replica.shard(settings.optimizer(), cut.from(rank), cut.to(rank)),
                        type,
                        of);
        hasAnswered = new boolean[of.size()];
        post = of;
        of.open(this::received);
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        ShardServer own = Objects.requireNonNull(server);
        start.copyFrom(replica.parameters());
        takeParameters(true);
        own.begin(part.step(), new Clocks(part.clocks(), part.batches()), shard(start));
        StepLoss sum = StepLoss.NONE;
        long position = part.position();
        for (int i = 0; i < part.ownBatches(); i++) {
            if (!feed.isWanted()) {
                return null;
            }
            Batch batch = feed.next();
            StepLoss loss = passes.of(batch, part, position, ReadyListener.NONE);
            position += batch.samples();
            sum = sum.plus(loss);
            boolean isSound = Double.isFinite(sum.lossSum());
            // Where a loss is no number the round is not sound: nobody is to wait for the rest.
            Fault fault = isSound ? push(part, i, batch, loss) : giveUp(part);
            if (fault != null) {
                return null;
            }
            if (!isSound) {
                break;
            }
        }
        return isWhole(own) ? offerChange(own, buckets, sum) : null;
    }

    @Override
    public Update update(Part part, Tail tail) {
        double factor = part.learningRateFactor().applyAsDouble(0);
        return new CommonStep(replica, outer, start, tail.weight() > 0 ? 1 : 0, factor);
    }

    @Override
    public void discarded() {
        takeParameters(false);
        replica.parameters().copyFrom(start);
    }

    @Override
    public List<NamedSpan> state() {
        return List.of();
    }

    @Override
    public long bytes() {
        long elements = replica.layout().elements();
        long most = (elements + settings.members() - 1) / settings.members();
        try (ParameterShard shard = replica.shard(settings.optimizer(), 0, most)) {
            return COPIES * start.bytes() + shard.bytes();
        }
    }

    @Override
    public void close() {
        closeServer();
        outer.close();
    }

    private void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    // ---- The worker's side

    /** Pushes a gradient to all servers and waits for all answers. */
    private @Nullable Fault push(Part part, int batchIndex, Batch batch, StepLoss loss) {
        double rate = part.learningRateFactor().applyAsDouble(batchIndex);
        if (settings.async().sync() != AsyncSpec.Sync.BULK) {
            rate *= (double) batch.samples() / settings.batch();
        }
        Letter letter =
                new Letter(
                        ShardServer.PUSH,
                        part.step(),
                        batchIndex + 1,
                        loss.weight(),
                        rate,
                        clipScale(loss.weight()),
                        replica.gradients());
        return exchange(letter);
    }

    private @Nullable Fault giveUp(Part part) {
        return exchange(Letter.empty(ShardServer.PUSH, part.step(), part.ownBatches()));
    }

    private @Nullable Fault exchange(Letter push) {
        Post with = Objects.requireNonNull(post);
        expectAnswers();
        for (int to = 0; to < with.size(); to++) {
            Span part = push.body().bytes() == 0 ? push.body() : shard(push.body(), to);
            if (!with.offer(to, push.with(part))) {
                throw new IllegalStateException("rank " + to + " has not taken the last push yet");
            }
        }
        return with.await(() -> missing.get() == 0, this::awaited);
    }

    private double clipScale(double weight) {
        if (settings.clipNorm() == 0 || weight == 0) {
            return 1;
        }
        double squared = replica.gradientSquaredNorm(outer.arithmetic());
        return Math.min(1, settings.clipNorm() / (Math.sqrt(squared) / weight + 1e-6));
    }

    /** Whom this worker waits for: the slowest, as this member's server sees it, or a server. */
    private int awaited() {
        int slowest = Objects.requireNonNull(server).slowest();
        return slowest != Objects.requireNonNull(post).rank() ? slowest : silentServer();
    }

    // ---- The end of a round

    /** Waits until this member's server has applied all pushes; false if the epoch has ended. */
    private boolean isWhole(ShardServer own) {
        return Objects.requireNonNull(post).await(own::isDone, own::slowest) == null;
    }

    /** Lets the change of this member's shard leave; nothing of the others'. */
    private StepLoss offerChange(ShardServer own, Buckets buckets, StepLoss sum) {
        Memory.clear(replica.gradients());
        Span change = shard(replica.gradients());
        own.copyTo(change);
        Memory.difference(shard(start), change, 1, change, type);
        JointChange.offer(replica, buckets);
        return sum;
    }

    private Span shard(Span flat) {
        return shard(flat, Objects.requireNonNull(post).rank());
    }

    private Span shard(Span flat, int ofRank) {
        int bytes = type.bytes();
        return flat.slice(cut.from(ofRank) * bytes, cut.count(ofRank) * bytes);
    }

    // ---- The post's thread

    private void received(int from, Letter letter) {
        if (letter.kind() == ShardServer.PUSH) {
            Objects.requireNonNull(server).pushed(from, letter);
        } else {
            take(from, letter.body());
            Objects.requireNonNull(post).changed();
        }
    }

    private synchronized void take(int from, Span parameters) {
        if (isTakingParameters && parameters.bytes() > 0) {
            shard(replica.parameters(), from).copyFrom(parameters);
        }
        if (!hasAnswered[from]) {
            hasAnswered[from] = true;
            missing.decrementAndGet();
        }
    }

    private synchronized void takeParameters(boolean isToTake) {
        isTakingParameters = isToTake;
    }

    private synchronized void expectAnswers() {
        Arrays.fill(hasAnswered, false);
        missing.set(hasAnswered.length);
    }

    private synchronized int silentServer() {
        for (int rank = 0; rank < hasAnswered.length; rank++) {
            if (!hasAnswered[rank]) {
                return rank;
            }
        }
        return 0;
    }
}
