package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.Objects;
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
 * <p>A round waits for all to end it; {@link QuorumGossip} does not. Thread: the training thread.
 */
public final class Gossip implements Strategy {
    private final Replica replica;
    private final PushedSteps steps;
    private final Optimizer outer;
    private final Settings settings;
    private final Span start;
    private final PushSum sum;

    // Of a group.
    private @Nullable Post post;
    private @Nullable RoundLetters letters;

    /**
     * How workers mix.
     *
     * @param mixEvery inner steps
     * @param seed of the neighbours
     * @param clipNorm largest norm of an inner step's mean gradient; 0 for no limit
     */
    public record Settings(int mixEvery, long seed, double clipNorm) {
        /** Whether a worker mixes after so many of its steps. */
        boolean isMixed(int steps) {
            return steps % mixEvery == 0;
        }

        /** Which time in its round that is, from 0. */
        int number(int steps) {
            return steps / mixEvery - 1;
        }
    }

    /**
     * A member of a gossip that has not begun.
     *
     * @param inner each worker's own
     */
    public Gossip(Replica replica, Optimizer inner, Settings settings) {
        this.replica = replica;
        this.settings = settings;
        this.outer = JointChange.optimizer(replica);
        this.start = Span.allocate(replica.parameters().bytes());
        this.sum = new PushSum(replica.parameters(), replica.layout().type());
        this.steps = new PushedSteps(replica, inner, settings.clipNorm(), sum);
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("gossip needs a post");
    }

    @Override
    public void formed(Group group, Collective collective) {
        Post of = Objects.requireNonNull(collective.post(), "the group has no post");
        steps.beginAnew();
        sum.clear();
        post = of;
        letters = new RoundLetters(of, sum, replica.parameters());
        letters.open(RoundLetters.EndListener.NONE);
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        Post with = Objects.requireNonNull(post);
        RoundLetters writing = Objects.requireNonNull(letters);
        start.copyFrom(replica.parameters());
        sum.begin();
        steps.begin(part);
        writing.begin(part.step(), settings.seed());
        StepLoss losses = StepLoss.NONE;
        // Where a loss is no number, the round is not sound: what would follow is of no use.
        for (int i = 0; i < part.ownBatches() && Double.isFinite(losses.lossSum()); i++) {
            if (!feed.isWanted() || with.check() != null) {
                return null;
            }
            StepLoss loss = steps.gradient(part, feed.next());
            steps.move(part, i, loss.weight());
            losses = losses.plus(loss);
            if (settings.isMixed(i + 1) && i + 1 < part.ownBatches()) {
                writing.mix(part.step(), settings.number(i + 1));
            }
        }
        return gather(writing, part.step()) ? offerChange(buckets, losses) : null;
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
        return start.bytes() + sum.bytes() + letters + steps.bytes();
    }

    @Override
    public void close() {
        steps.close();
        outer.close();
    }

    /** Waits until all weight has arrived; false if the epoch has ended. */
    private boolean gather(RoundLetters writing, long step) {
        writing.end(step);
        if (!writing.await(step, () -> writing.isEnded(step))) {
            return false;
        }
        sum.mix();
        return true;
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
}
