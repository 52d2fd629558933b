package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.job.QuorumSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Grace;
import dev.medley.exchange.Collective;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Gossip} whose rounds do not wait for all: a quorum, then a grace, then a cut through
 * what each holds and what is under way between them, in the manner of Chandy and Lamport (ACM TOCS
 * 1985). Letters of two are in order, so "nothing more comes" is the marker.
 *
 * <pre>
 *     the time is up:     tell all that nothing more comes; (w_i, z_i) stays as it is
 *     all have told:      give w_i (theta - z_i), what came included
 *     all have given:     theta = sum(w_i z_i) / n, with sum(w_i) = n
 * </pre>
 *
 * <p>Where a worker is between two batches then, it does so itself. Where it is within one, the
 * thread of its post does: what was held before that batch is given, all of the steps that are
 * finished. The gradient of the batch is not lost: it is the first step of the worker's next round,
 * one batch old.
 *
 * <p>Memory beside {@link Gossip}: one copy of the parameters for gradients, since the exchange
 * memory may be summed at any time.
 *
 * <p>Thread: the training thread; {@link #heard} and {@link #give} on the post's. What both see of
 * a round is changed within {@link RoundEnd}.
 */
public final class QuorumGossip implements Strategy {
    private static final Logger LOG = LoggerFactory.getLogger(QuorumGossip.class);

    private final Replica replica;
    private final PushedSteps steps;
    private final Optimizer outer;
    private final Gossip.Settings settings;
    private final QuorumSpec quorum;
    private final Span start;
    private final Span gradients;
    private final PushSum sum;

    // Of a group.
    private @Nullable Post post;
    private @Nullable RoundLetters letters;
    private @Nullable RoundEnd end;

    /** The batch in which the last round ended here; its gradient is in {@link #gradients}. */
    private Done late = Done.NOTHING;

    // Of the round under way, for both threads.
    private @Nullable Buckets buckets;
    private @Nullable Span changes;
    private Done before = Done.NOTHING;
    private Done done = Done.NOTHING;

    /** The last round in which the post's thread gave what is to be given here. */
    private volatile long givenStep;

    /**
     * A member of a gossip that has not begun.
     *
     * @param inner each worker's own
     * @param quorum who is waited for; whether late work counts, its age being one round
     */
    public QuorumGossip(
            Replica replica, Optimizer inner, Gossip.Settings settings, QuorumSpec quorum) {
        this.replica = replica;
        this.settings = settings;
        this.quorum = quorum;
        this.outer = JointChange.optimizer(replica);
        long bytes = replica.parameters().bytes();
        this.start = Span.allocate(bytes);
        this.gradients = Span.allocate(bytes);
        this.sum = new PushSum(replica.parameters(), replica.layout().type());
        this.steps = new PushedSteps(replica, inner, settings.clipNorm(), sum);
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("gossip needs a post");
    }

    /** Late work ends with the group before, since its samples are dealt anew. */
    @Override
    public void formed(Group group, Collective collective) {
        Post of = Objects.requireNonNull(collective.post(), "the group has no post");
        steps.beginAnew();
        sum.clear();
        late = Done.NOTHING;
        givenStep = 0;
        post = of;
        end = new RoundEnd(quorum, of.size(), of.clock(), of::alarm);
        letters = new RoundLetters(of, sum, replica.parameters());
        letters.open(this::heard);
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets ofRound) {
        RoundEnd ending = Objects.requireNonNull(end);
        Span exchanged = replica.gradients();
        begin(part, ofRound, exchanged);
        replica.bindGradients(gradients);
        try {
            takeLate(part);
            ending.begin(part.step(), part.patience(), () -> letters().end(part.step()));
            if (!work(part, feed, ending)) {
                return null;
            }
            if (!ending.closeInTime()) {
                return letters().await(part.step(), () -> givenStep >= part.step())
                        ? StepLoss.NONE
                        : null;
            }
        } finally {
            ending.close();
            replica.bindGradients(exchanged);
        }
        return handOver(part, ofRound);
    }

    private void begin(Part part, Buckets ofRound, Span exchanged) {
        start.copyFrom(replica.parameters());
        sum.begin();
        steps.begin(part);
        letters().begin(part.step(), settings.seed());
        buckets = ofRound;
        changes = exchanged;
        done = Done.NOTHING;
    }

    /** The step of the batch in which the round before ended, from where all go on. */
    private void takeLate(Part part) {
        before = late;
        late = Done.NOTHING;
        if (before.steps() > 0) {
            steps.move(part, 0, before.loss().weight());
        }
    }

    /** Takes steps until all are done or the time is up; false where nobody needs them. */
    private boolean work(Part part, Feed feed, RoundEnd ending) {
        Post with = Objects.requireNonNull(post);
        long batchNs = 0;
        while (done.steps() < part.ownBatches() && Double.isFinite(loss().lossSum())) {
            if (!feed.isWanted() || with.check() != null) {
                return false;
            }
            Grace grace = ending.decide(batchNs);
            if (!grace.goesOn()) {
                say(part, "stops after", grace.why());
                return true;
            }
            long fromNs = with.clock().nowNs();
            Batch batch = feed.next();
            StepLoss loss = steps.gradient(part, batch);
            Done more = done.plus(loss, batch);
            if (!ending.change(() -> take(part, more, loss.weight()))) {
                keep(part, Done.NOTHING.plus(loss, batch));
                return true;
            }
            batchNs = with.clock().nowNs() - fromNs;
        }
        return true;
    }

    /** A step is done in time: it moves the parameters, and what this member holds is mixed. */
    private void take(Part part, Done more, double weight) {
        steps.move(part, done.steps(), weight);
        done = more;
        if (settings.isMixed(done.steps()) && done.steps() < part.ownBatches()) {
            letters().mix(part.step(), settings.number(done.steps()));
        }
    }

    /** The round has ended in a batch: its gradient waits for the next. */
    private void keep(Part part, Done batch) {
        late = quorum.isTooOld(1) ? Done.NOTHING : batch;
        say(part, "ended in a batch after", "the grace is over");
    }

    private void say(Part part, String what, String why) {
        LOG.info(
                "round {}: {} {} of {} batches, since {}",
                part.step(),
                what,
                done.steps(),
                part.ownBatches(),
                why);
    }

    /** Ends the round in time; null if the epoch has ended. */
    private @Nullable StepLoss handOver(Part part, Buckets ofRound) {
        long step = part.step();
        letters().end(step);
        if (!letters().await(step, () -> letters().isEnded(step))) {
            return null;
        }
        sum.handOver(start, replica.gradients());
        JointChange.offer(replica, ofRound);
        ofRound.offer(row(false));
        return loss();
    }

    private RoundTable.Row row(boolean isLate) {
        return new RoundTable.Row(0, done.samples(), isLate, before.samples(), before.samples());
    }

    private StepLoss loss() {
        return before.loss().plus(done.loss());
    }

    /** Nobody moved where no sample has a weight: then all give zeros, and the step is none. */
    @Override
    public Update update(Part part, Tail tail) {
        double factor = part.learningRateFactor().applyAsDouble(0);
        return new CommonStep(replica, outer, start, part.batches().size(), factor);
    }

    @Override
    public void discarded() {
        replica.parameters().copyFrom(start);
        late = Done.NOTHING;
    }

    @Override
    public List<NamedSpan> state() {
        return List.of();
    }

    @Override
    public long bytes() {
        long letterBytes = 2 * start.bytes();
        return start.bytes() + gradients.bytes() + sum.bytes() + letterBytes + steps.bytes();
    }

    @Override
    public void close() {
        steps.close();
        outer.close();
    }

    private RoundLetters letters() {
        return Objects.requireNonNull(letters, "no group has formed");
    }

    // ---- The post's thread

    private void heard(int from, long step) {
        RoundEnd ending = Objects.requireNonNull(end);
        ending.done(from, step);
        if (letters().isEnded(step)) {
            ending.ifLate(step, () -> give(step));
        }
    }

    /** All weight that was under way has arrived, and what is held does not change any more. */
    private void give(long step) {
        Span into = Objects.requireNonNull(changes);
        sum.handOver(start, into);
        double squaredNorm = Memory.squaredNorm(into, replica.layout().type());
        Objects.requireNonNull(buckets).offerInstead(row(true), loss(), squaredNorm);
        givenStep = step;
    }
}
