package dev.medley.training.gossip;

import dev.medley.base.Group;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.CommonStep;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.JointChange;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import dev.medley.training.strategy.WorkDone;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains by stochastic gradient push (Assran et al., ICML 2019, arXiv 1811.10792), without its
 * lockstep. Each worker takes steps by itself and, every few of them, averages with one neighbour.
 * No worker waits: it takes in what has come and sends on, and skips a letter where the neighbour
 * has two of its letters unread.
 *
 * <pre>
 *     each inner step:         z_i = inner(z_i, gradient, rate / w_i)
 *     every mixEvery steps:    take in what came; send (z_i, w'), w_i = w_i - w'
 *     at the end of a round:   note w_i (start - z_i), tell all, and go on with the next round
 *     when all have told:      theta = sum(w_i z_i) / n, while the next round goes on
 * </pre>
 *
 * <p>The rate is divided by w_i so that each sample moves the common average by the same, whatever
 * its worker's weight; none gives so much away that less than 1/2 is left, so no step gets long.
 *
 * <p>A round's end is a cut through what all hold and what is under way between them ({@link
 * PushSum}), not a meeting: theta is what an evaluation, a checkpoint and a newcomer get, equal on
 * all members bit by bit, and no worker's z_i is changed by it. A worker waits only where it has
 * ended the next round too and the sum of this one has not come yet: none is more than a round
 * ahead of the slowest.
 *
 * <p>The state of the run between two steps is theta, with the mean of the running statistics that
 * workers had when they ended the round; the replica holds both then. z_i, its weight, its
 * statistics and moments are each worker's own: they begin anew with every group, from theta. The
 * steps that were taken of the round under way are then taken anew, by all, so each sample counts
 * once.
 *
 * <p>Memory beside data parallelism, P for the parameters: P each for the start of a round, for z_i
 * and for gradients, 2 P for what comes, 2 P for each neighbour's letters under way. Thread: the
 * training thread.
 */
public final class GossipSteps implements Strategy {
    private final Replica replica;
    private final PushedSteps steps;
    private final Optimizer outer;
    private final Settings settings;
    private final PushSum sum;

    /** Theta when the round began that is noted or is about to be. */
    private final Span start;

    /** z_i and this worker's statistics while the replica holds theta, if {@link #isApart}. */
    private final Span own;

    private final Span ownStatistics;
    private boolean isApart;

    /** Of inner steps: the exchange memory is busy with what is noted meanwhile. */
    private final Span gradients;

    // Of a group.
    private @Nullable Post post;
    private @Nullable RoundLetters letters;

    /** The round that ended last here; 0 if none has in this group. */
    private long ended;

    /** What is done of the round that has not ended here. */
    private WorkDone done = WorkDone.NOTHING;

    /**
     * How workers mix.
     *
     * @param mixEvery inner steps
     * @param seed of the neighbours
     * @param clipNorm largest norm of an inner step's mean gradient; 0 for no limit
     */
    public record Settings(int mixEvery, long seed, double clipNorm) {
        /** Whether a worker mixes after so many of a round's steps. */
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
    public GossipSteps(Replica replica, Optimizer inner, Settings settings) {
        this.replica = replica;
        this.settings = settings;
        this.outer = JointChange.optimizer(replica);
        long bytes = replica.parameters().bytes();
        this.start = Span.allocate(bytes);
        this.own = Span.allocate(bytes);
        this.ownStatistics = Span.allocate(replica.buffers().bytes());
        this.gradients = Span.allocate(bytes);
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
        isApart = false;
        done = WorkDone.NOTHING;
        ended = 0;
        post = of;
        letters = new RoundLetters(of, sum, replica.parameters());
    }

    /** Changes of all, each with its own weight in it. */
    @Override
    public double unit(Part part) {
        return 1;
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        if (ended == 0) {
            sum.begin(part.step());
            letters().open();
        }
        Span noted = replica.gradients();
        start.copyFrom(replica.parameters());
        if (isApart) {
            replica.parameters().copyFrom(own);
            replica.buffers().copyFrom(ownStatistics);
        }
        replica.bindGradients(gradients);
        try {
            while (isOpen(part)) {
                if (!take(part, feed)) {
                    return null;
                }
            }
            return end(part, noted);
        } finally {
            replica.bindGradients(noted);
        }
    }

    /** Whether there is more to do of a part. Where a loss is no number, the round is not sound. */
    private boolean isOpen(Part part) {
        return done.steps() < part.ownBatches() && done.isSound();
    }

    /** The next step of a part; false where nobody needs it. */
    private boolean take(Part part, Feed feed) {
        if (!feed.isWanted() || Objects.requireNonNull(post).check() != null) {
            return false;
        }
        if (done.steps() == 0) {
            begin(part);
        }
        Batch batch = feed.next();
        StepLoss loss = steps.gradient(part, batch);
        steps.move(part, done.steps(), loss.weight());
        done = done.plus(loss, batch);
        if (settings.isMixed(done.steps()) && done.isSound()) {
            letters().mix(part.step(), settings.number(done.steps()));
        }
        return true;
    }

    private void begin(Part part) {
        steps.begin(part);
        letters().begin(part.step(), settings.seed());
    }

    private StepLoss end(Part part, Span noted) {
        sum.cut(start, noted);
        letters().end(part.step());
        ended = part.step();
        StepLoss loss = done.loss();
        done = WorkDone.NOTHING;
        return loss;
    }

    /** Takes steps of the next round until the sum is there. */
    @Override
    public boolean whileSummed(Supplier<@Nullable Part> next, Feed feed, Buckets buckets) {
        Part ahead = next.get();
        Span noted = replica.gradients();
        boolean goesOn = ahead == null || goAhead(ahead, feed, buckets, noted);
        if (!goesOn || !letters().await(ended)) {
            return false;
        }
        handOver(buckets);
        own.copyFrom(replica.parameters());
        ownStatistics.copyFrom(replica.buffers());
        isApart = true;
        return true;
    }

    /** Until the sum is there or nothing is left to take; false where nobody needs it. */
    private boolean goAhead(Part ahead, Feed feed, Buckets buckets, Span noted) {
        try {
            while (!buckets.isSummed() && isOpen(ahead)) {
                if (letters().isEnded(ended) && !buckets.isHandedOver()) {
                    bind(noted);
                    handOver(buckets);
                } else {
                    bind(gradients);
                    if (!take(ahead, feed)) {
                        return false;
                    }
                }
            }
            return true;
        } finally {
            bind(noted);
        }
    }

    private void bind(Span memory) {
        if (replica.gradients() != memory) {
            replica.bindGradients(memory);
        }
    }

    /** Lets leave what is noted, which is complete. */
    private void handOver(Buckets buckets) {
        if (!buckets.isHandedOver()) {
            JointChange.offer(replica, buckets);
        }
    }

    /** What a codec left out of theta is in the next round's change, since no z_i follows it. */
    @Override
    public boolean sendsRestLater() {
        return false;
    }

    @Override
    public boolean keepsOwnStatistics() {
        return true;
    }

    @Override
    public Update update(Part part, Tail tail) {
        double factor = part.learningRateFactor().applyAsDouble(0);
        return new CommonStep(replica, outer, start, part.batches().size(), factor);
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
        long copies = start.bytes() + own.bytes() + ownStatistics.bytes() + gradients.bytes();
        long letterBytes = 2 * start.bytes();
        return copies + sum.bytes() + letterBytes + steps.bytes();
    }

    @Override
    public void close() {
        steps.close();
        outer.close();
    }

    private RoundLetters letters() {
        return Objects.requireNonNull(letters, "no group has formed");
    }
}
