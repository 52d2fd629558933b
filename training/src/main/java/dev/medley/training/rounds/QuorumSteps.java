package dev.medley.training.rounds;

import dev.medley.base.Group;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Grace;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.exchange.Collective;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.CommonRule;
import dev.medley.training.strategy.CommonStep;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.JointChange;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.NormalizedAveraging;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import dev.medley.training.strategy.WorkDone;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains in rounds like those of {@link LocalSteps}, but waits for a quorum and then a grace, not
 * for all (Decoupled DiLoCo, arXiv 2604.21428). The work that a worker has done by then goes into
 * the sum; the rest is left to the rounds that follow.
 *
 * <pre>
 *     in time:  delta_i = theta - theta_i after h_i of H_i steps, over samples of weight w_i
 *     late:     nothing; delta_i waits
 *     later:    delta_i g(age) beside what is fresh        g of {@link LateWork}
 *
 *     D = normalised mean of all of them, late ones with their weight and steps
 * </pre>
 *
 * <p>All take part in every sum, so they need no agreement on the members of a round: a worker that
 * is late gives zeros, by the thread of its post, while it computes. At the next border between
 * batches it takes the common step that it has missed, and continues from there: it cannot miss a
 * second one before. So the common state is equal on all members, bit by bit, at each end of a
 * round.
 *
 * <p>Memory beside {@link LocalSteps}: one copy of the parameters for gradients, since the exchange
 * memory may be summed at any time, and one for late work.
 *
 * <p>Thread: the training thread; {@link #received} and {@link #giveNothing} on the post's.
 */
public final class QuorumSteps implements Strategy {
    private static final Logger LOG = LoggerFactory.getLogger(QuorumSteps.class);

    private static final int DONE = 1;

    private final Replica replica;
    private final InnerSteps inner;
    private final Optimizer outer;
    private final RoundSpec round;
    private final Span start;
    private final Span gradients;
    private final LateWork late;

    // Of a group.
    private @Nullable Post post;
    private @Nullable RoundEnd end;
    private long takenBefore;

    // Of the round under way.
    private @Nullable Buckets buckets;

    /**
     * Rounds of steps.
     *
     * @param inner each worker's own
     * @param round the step that all take together, and who is waited for
     * @param clipNorm largest norm of an inner step's mean gradient; 0 for no limit
     */
    public QuorumSteps(Replica replica, Optimizer inner, RoundSpec round, double clipNorm) {
        this.replica = replica;
        this.inner = new InnerSteps(replica, inner, clipNorm);
        this.outer = CommonRule.of(replica, round);
        this.round = round;
        long bytes = replica.parameters().bytes();
        this.start = Span.allocate(bytes);
        this.gradients = Span.allocate(bytes);
        this.late = new LateWork(round.quorum(), replica.layout().type(), bytes);
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("a quorum needs a post");
    }

    @Override
    public void formed(Group group, Collective collective) {
        inner.beginAnew();
        continued(group, collective);
    }

    /** The moments stay; late work does not, since its samples are dealt anew. */
    @Override
    public void continued(Group group, Collective collective) {
        Post of = Objects.requireNonNull(collective.post(), "the group has no post");
        late.clear();
        takenBefore = 0;
        end = new RoundEnd(round.quorum(), of.size(), of.clock(), of::alarm);
        post = of;
        of.open(0, this::received);
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets ofRound) {
        RoundEnd ending = Objects.requireNonNull(end);
        Post with = Objects.requireNonNull(post);
        buckets = ofRound;
        start.copyFrom(replica.parameters());
        inner.begin(part);
        Span changes = replica.gradients();
        long before = takenBefore;
        ending.begin(part.step(), part.patience(), () -> giveNothing(ofRound, changes, before));
        replica.bindGradients(gradients);
        @Nullable WorkDone done;
        boolean isInTime;
        try {
            done = work(part, feed, ending, with);
        } finally {
            isInTime = ending.close();
            replica.bindGradients(changes);
        }
        if (done == null) {
            return null;
        }
        return isInTime ? handOver(part, done, with) : keep(part, done);
    }

    /** Takes inner steps until all are done or the time is up; null where nobody needs them. */
    private @Nullable WorkDone work(Part part, Feed feed, RoundEnd ending, Post with) {
        WorkDone done = WorkDone.NOTHING;
        long batchNs = 0;
        while (done.steps() < part.ownBatches() && done.isSound()) {
            if (!feed.isWanted() || with.check() != null) {
                return null;
            }
            Grace grace = ending.decide(batchNs);
            if (!grace.goesOn()) {
                LOG.info(
                        "round {}: stops after {} of {} batches, since {}",
                        part.step(),
                        done.steps(),
                        part.ownBatches(),
                        grace.why());
                return done;
            }
            long fromNs = with.clock().nowNs();
            Batch batch = feed.next();
            done = done.plus(inner.take(part, done.steps(), batch), batch);
            batchNs = with.clock().nowNs() - fromNs;
        }
        return done;
    }

    /** Tells all others, and hands over what was done, late work with it. */
    private StepLoss handOver(Part part, WorkDone done, Post with) {
        for (int to = 0; to < with.size(); to++) {
            with.offer(to, Letter.empty(DONE, part.step(), 0));
        }
        Span own = replica.parameters();
        Span changes = replica.gradients();
        Memory.difference(start, own, done.factor(), changes, replica.layout().type());
        late.addTo(changes);
        JointChange.offer(replica, buckets());
        double weightedSteps = done.weightedSteps() + late.weightedSteps();
        buckets()
                .offer(
                        new RoundTable.Row(
                                weightedSteps, done.samples(), false, takenBefore, late.samples()));
        StepLoss all = done.loss().plus(late.loss());
        takenBefore = 0;
        late.clear();
        return all;
    }

    /** The round has ended without what was done: it waits for the next. */
    private StepLoss keep(Part part, WorkDone done) {
        late.missed(start, replica.parameters(), done);
        takenBefore = late.age() > 0 ? done.samples() : 0; // Else they are owed already.
        LOG.info(
                "round {} ended without the {} of {} batches that were done here",
                part.step(),
                done.steps(),
                part.ownBatches());
        return StepLoss.NONE;
    }

    @Override
    public Update update(Part part, Tail tail) {
        RoundTable table = Objects.requireNonNull(buckets().table());
        double divisor = NormalizedAveraging.divisor(tail.weight(), table.weightedSteps());
        return new CommonStep(
                replica, outer, start, divisor, part.learningRateFactor().applyAsDouble(0));
    }

    @Override
    public void discarded() {
        replica.parameters().copyFrom(start);
        inner.discarded();
    }

    @Override
    public List<NamedSpan> state() {
        return CommonRule.state(outer);
    }

    @Override
    public List<NamedSpan> moments() {
        return inner.moments();
    }

    @Override
    public boolean takesMomentsOf(Strategy before) {
        return true;
    }

    @Override
    public long bytes() {
        long copies = start.bytes() + gradients.bytes() + late.bytes();
        return copies + inner.bytes() + Memory.bytes(outer.state());
    }

    @Override
    public void close() {
        inner.close();
        outer.close();
    }

    private Buckets buckets() {
        return Objects.requireNonNull(buckets, "no round is under way");
    }

    // ---- The post's thread

    private void received(int from, Letter letter) {
        Objects.requireNonNull(end).done(from, letter.step());
    }

    private static void giveNothing(Buckets ofRound, Span changes, long takenBefore) {
        changes.clear();
        ofRound.offerNothing(RoundTable.Row.late(takenBefore));
    }
}
