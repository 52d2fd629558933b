package dev.medley.training.server;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Clocks;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
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
import dev.medley.training.strategy.CommonStep;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.JointChange;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Passes;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Trains with a parameter server (Li et al., OSDI 2014) within rounds. Each member holds a shard of
 * the parameters and moves it; after each batch a worker pushes the shards' parts of its gradient
 * to all members, and continues with their answers. No worker waits for the whole group but at the
 * end of a round, where each server's change travels in the gradient's place and all take it:
 *
 * <pre>
 *     theta_k = server k's shard at the end of the round
 *     theta = theta - sum over k of (theta - theta_k), each zero outside its shard
 * </pre>
 *
 * <p>So a round is applied by all or none, like a step, and leaves equal parameters on all members.
 * {@link ShardServer} and {@link Clocks} decide whom a worker waits for within a round. The
 * servers' moments begin anew with every group, like those of {@link
 * dev.medley.training.rounds.LocalSteps}.
 *
 * <p>Memory of a member beside data parallelism, P for the parameters, n members: P for the start
 * of the round, P/n with moments for its shard, P for what came early or waits for others, 4 P for
 * letters under way.
 *
 * <p>Thread: the training thread; {@link #received} on the post's.
 */
public final class ServerSteps implements Strategy {
    /** The start, what came early, and letters under way: pushes and answers, two of each. */
    private static final int COPIES = 6;

    /** With servers per site, of which one may stand alone: merged pushes, parameters, letters. */
    private static final int COPIES_OF_A_SITE = 5;

    private final Replica replica;
    private final Optimizer outer;
    private final Settings settings;
    private final Passes passes;
    private final Span start;
    private final AtomicInteger missing = new AtomicInteger();

    // Of a group.
    private @Nullable Post post;
    private @Nullable Servers servers;
    private List<Double> weights = List.of();

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
     * @param compress the codec of what servers forward to another site
     * @param codec how far it goes
     */
    public record Settings(
            OptimizerSpec optimizer,
            AsyncSpec async,
            int batch,
            double clipNorm,
            int members,
            Compress compress,
            CodecSpec codec) {
        /** Servers between which nothing is coded. */
        public Settings(
                OptimizerSpec optimizer, AsyncSpec async, int batch, double clipNorm, int members) {
            this(optimizer, async, batch, clipNorm, members, Compress.NONE, CodecSpec.DEFAULT);
        }
    }

    /** A worker and server of a group that has not begun. */
    public ServerSteps(Replica replica, Settings settings) {
        this.replica = replica;
        this.settings = settings;
        this.outer = JointChange.optimizer(replica);
        this.passes = new Passes(replica);
        this.start = Span.allocate(replica.parameters().bytes());
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("a parameter server needs a post");
    }

    @Override
    public void planned(Plan plan) {
        weights = plan.servers();
    }

    @Override
    public void formed(Group group, Collective collective) {
        Post of = Objects.requireNonNull(collective.post(), "the group has no post");
        closeServers();
        servers = serving(SiteMap.of(group), of);
        hasAnswered = new boolean[of.size()];
        post = of;
        of.open(Memory.mostLetterBytes(start), this::received);
    }

    private Servers serving(SiteMap sites, Post of) {
        List<Double> parts =
                weights.size() == of.size() ? weights : Collections.nCopies(of.size(), 1.0);
        boolean isPerSite = settings.async().servers() == AsyncSpec.Servers.PER_SITE;
        return isPerSite && sites.sites() > 1
                ? new SiteServers(settings, replica, of, sites, parts)
                : new AllServers(settings, replica, of, parts);
    }

    /** Each element is one server's: the sum of changes is the change. */
    @Override
    public double unit(Part part) {
        return 1;
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        Servers own = Objects.requireNonNull(servers);
        start.copyFrom(replica.parameters());
        takeParameters(true);
        own.begin(part, start);
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
        CommonStep common =
                new CommonStep(replica, outer, start, tail.weight() > 0 ? 1 : 0, factor);
        return common.then(Objects.requireNonNull(servers)::applied);
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
        boolean isPerSite = settings.async().servers() == AsyncSpec.Servers.PER_SITE;
        int copies = isPerSite ? COPIES + COPIES_OF_A_SITE : COPIES;
        try (ParameterShard shard = replica.shard(settings.optimizer(), 0, most)) {
            return copies * start.bytes() + shard.bytes();
        }
    }

    @Override
    public void close() {
        closeServers();
        outer.close();
    }

    private void closeServers() {
        if (servers != null) {
            servers.close();
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
        Servers all = Objects.requireNonNull(servers);
        expectAnswers(all.ranks());
        for (int to : all.ranks()) {
            Span part = push.body().bytes() == 0 ? push.body() : all.pushedTo(to).of(push.body());
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

    /** The rank that this worker waits for: the slowest as its own server sees it, or a server. */
    private int awaited() {
        int slowest = Objects.requireNonNull(servers).awaited();
        return slowest != Objects.requireNonNull(post).rank() ? slowest : silentServer();
    }

    // ---- The end of a round

    /** Waits until this member has applied all pushes; false if the epoch has ended. */
    private boolean isWhole(Servers own) {
        return Objects.requireNonNull(post).await(own::isDone, own::awaited) == null;
    }

    /** Lets the change of what this member holds leave; nothing of the others'. */
    private StepLoss offerChange(Servers own, Buckets buckets, StepLoss sum) {
        replica.gradients().clear();
        own.putChange(start, replica.gradients());
        JointChange.offer(replica, buckets);
        return sum;
    }

    // ---- The post's thread

    private void received(int from, Letter letter) {
        if (letter.kind() == ShardServer.PARAMETERS) {
            take(from, letter.body());
            Objects.requireNonNull(post).changed();
        } else {
            Objects.requireNonNull(servers).received(from, letter);
        }
    }

    private synchronized void take(int from, Span parameters) {
        if (isTakingParameters && parameters.bytes() > 0) {
            Objects.requireNonNull(servers).pushedTo(from).put(parameters, replica.parameters());
        }
        if (!hasAnswered[from]) {
            hasAnswered[from] = true;
            missing.decrementAndGet();
        }
    }

    private synchronized void takeParameters(boolean isToTake) {
        isTakingParameters = isToTake;
    }

    private synchronized void expectAnswers(List<Integer> from) {
        Arrays.fill(hasAnswered, true);
        from.forEach(rank -> hasAnswered[rank] = false);
        missing.set(from.size());
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
