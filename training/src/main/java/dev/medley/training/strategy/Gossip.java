package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.route.Neighbours;
import dev.medley.exchange.Collective;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Rounds in which each worker takes steps by itself and, every few of them, averages with one
 * neighbour: stochastic gradient push (Assran et al., ICML 2019, arXiv 1811.10792), without its
 * lockstep. Nobody waits: a worker takes in what has come and sends on, and skips a letter where
 * the neighbour has two of it unread.
 *
 * <pre>
 *     each inner step:         z_i = inner(z_i, gradient, rate / w_i)
 *     every mixEvery steps:    take in what came; send (z_i, w_i / 2), w_i = w_i / 2
 *     at the end of a round:   theta = sum(w_i z_i) / n
 * </pre>
 *
 * <p>The rate is divided by w_i so that each sample moves the common average by the same, whatever
 * its worker's weight; by 1/2 at least, and who has less than 1/2 sends nothing, so that no step
 * gets long. At the end of a round each tells all others that nothing more comes, so that all
 * weight has arrived: the average is exact, the sum of weights is n.
 *
 * <p>As with {@link LocalSteps}, moments are each worker's own and begin anew with every group.
 * Memory beside data parallelism, P for the parameters: P for the start of a round, P for the
 * inbox, 2 P for each neighbour's letters under way.
 *
 * <p>Thread: the training thread; {@link #received} on the post's.
 */
public final class Gossip implements Strategy {
    private static final int MIX = 1;
    private static final int END = 2;
    private static final double LEAST_WEIGHT = 0.5;

    private final Replica replica;
    private final Optimizer inner;
    private final Optimizer outer;
    private final Settings settings;
    private final Passes passes;
    private final Span start;
    private final PushSum sum;

    // Of a group.
    private @Nullable Post post;
    private AtomicLongArray ended = new AtomicLongArray(0);

    /**
     * How workers mix.
     *
     * @param mixEvery inner steps
     * @param seed of the neighbours
     * @param clipNorm largest norm of an inner step's mean gradient; 0 for no limit
     */
    public record Settings(int mixEvery, long seed, double clipNorm) {}

    /**
     * A member of a gossip that has not begun.
     *
     * @param inner each worker's own
     */
    public Gossip(Replica replica, Optimizer inner, Settings settings) {
        this.replica = replica;
        this.inner = inner;
        this.settings = settings;
        this.outer = JointChange.optimizer(replica);
        this.passes = new Passes(replica);
        this.start = Span.allocate(replica.parameters().bytes());
        this.sum = new PushSum(replica.parameters(), replica.layout().type());
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("gossip needs a post");
    }

    @Override
    public void formed(Group group, Collective collective) {
        Post of = Objects.requireNonNull(collective.post(), "the group has no post");
        inner.state().forEach(moment -> moment.data().clear());
        sum.clear();
        ended = new AtomicLongArray(of.size());
        post = of;
        of.open(this::received);
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        Post with = Objects.requireNonNull(post);
        Neighbours neighbours = new Neighbours(settings.seed(), part.step(), with.size());
        start.copyFrom(replica.parameters());
        sum.begin();
        StepLoss losses = StepLoss.NONE;
        long position = part.position();
        // Where a loss is no number, the round is not sound: what would follow is of no use.
        for (int i = 0; i < part.ownBatches() && Double.isFinite(losses.lossSum()); i++) {
            if (!feed.isWanted() || with.check() != null) {
                return null;
            }
            Batch batch = feed.next();
            StepLoss loss = passes.of(batch, part, position, ReadyListener.NONE);
            double rate = part.learningRateFactor().applyAsDouble(i);
            double divided = rate / Math.max(LEAST_WEIGHT, sum.weight());
            new GradientUpdate(replica, inner, loss.weight(), settings.clipNorm(), divided).run();
            position += batch.samples();
            losses = losses.plus(loss);
            int done = i + 1;
            if (done % settings.mixEvery() == 0 && done < part.ownBatches()) {
                int number = done / settings.mixEvery() - 1;
                mix(with, part.step(), number, neighbours.of(with.rank(), number));
            }
        }
        return gather(with, part.step()) ? offerChange(buckets, losses) : null;
    }

    @Override
    public Update update(Part part, Tail tail) {
        double factor = part.learningRateFactor().applyAsDouble(0);
        int members = tail.weight() > 0 ? part.batches().size() : 0;
        return new CommonStep(replica, outer, start, members, factor);
    }

    @Override
    public void discarded() {
        replica.parameters().copyFrom(start);
    }

    @Override
    public List<NamedSpan> state() {
        return List.of();
    }

    @Override
    public long bytes() {
        long letters = 2 * start.bytes();
        return start.bytes() + sum.bytes() + letters + Memory.bytes(inner.state());
    }

    @Override
    public void close() {
        inner.close();
        outer.close();
    }

    /** Takes in what has come, and sends on where that is possible. */
    private void mix(Post with, long step, int number, int to) {
        sum.mix();
        if (to == with.rank() || ended.get(to) >= step || sum.weight() < LEAST_WEIGHT) {
            return;
        }
        double half = sum.weight() / 2;
        if (with.offer(to, new Letter(MIX, step, number, half, 0, 0, replica.parameters()))) {
            sum.give();
        }
    }

    /** Waits until all weight has arrived; false if the epoch has ended. */
    private boolean gather(Post with, long step) {
        for (int to = 0; to < with.size(); to++) {
            with.offer(to, Letter.empty(END, step, 0));
        }
        if (with.await(() -> awaited(step) < 0, () -> Math.max(0, awaited(step))) != null) {
            return false;
        }
        sum.mix();
        return true;
    }

    private int awaited(long step) {
        for (int rank = 0; rank < ended.length(); rank++) {
            if (ended.get(rank) < step) {
                return rank;
            }
        }
        return -1;
    }

    private StepLoss offerChange(Buckets buckets, StepLoss losses) {
        Memory.difference(
                start,
                replica.parameters(),
                sum.weight(),
                replica.gradients(),
                replica.layout().type());
        JointChange.offer(replica, buckets);
        return losses;
    }

    /** On the post's thread. */
    private void received(int from, Letter letter) {
        if (letter.kind() == MIX) {
            sum.receive(letter.body(), letter.weight());
        } else {
            ended.set(from, letter.step());
            Objects.requireNonNull(post).changed();
        }
    }
}
