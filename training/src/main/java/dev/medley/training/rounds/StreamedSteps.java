package dev.medley.training.rounds;

import dev.medley.base.Group;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.round.FragmentSchedule;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.BucketRanges.Range;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.FragmentSums;
import dev.medley.training.bucket.Fragments;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.CommonRule;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.NormalizedAveraging;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains in rounds like those of {@link LocalSteps}, whose change travels in fragments while the
 * worker continues (Streaming DiLoCo: Douillard et al. 2025, arXiv 2501.18512). For each fragment p
 * of the parameters, once in a round:
 *
 * <pre>
 *     it leaves:  delta_i = theta - theta_i
 *     some inner steps of all parameters, while the sum travels
 *     it lands:   D = normalised mean of all delta_i
 *                 u = mu u + D;  theta = theta - eta (D + mu u)
 *                 theta_i = theta + alpha (theta_i - theta)
 * </pre>
 *
 * <p>The part alpha that a worker keeps of its own progress is half where fragments travel, as in
 * the paper, so that not all is lost which it learnt meanwhile; where nothing was learnt meanwhile,
 * it is zero.
 *
 * <p>At the end of a round all fragments have landed, and the state of the run is theta and u,
 * equal on all members. The replica holds theta between rounds. A worker's lead over it, theta_i -
 * theta, is its own, as the moments are: it stays as long as the same members continue, comes back
 * with a discarded round, and is dropped where a member came or went.
 *
 * <p>Memory beside {@link LocalSteps}: three copies of the parameters, or four if mu is not 0.
 */
public final class StreamedSteps implements Strategy {
    private static final double KEPT = 0.5;

    private final Replica replica;
    private final InnerSteps inner;
    private final Optimizer outer;
    private final StreamSpec stream;
    private final List<Range> fragments;
    private final FragmentProgress progress;
    private final FragmentUnits units;

    /** Of inner steps: the exchange memory is busy with changes meanwhile. */
    private final Span gradients;

    /** Theta and u when the round began. */
    private final Span start;

    private final List<Span> outerStart;

    /** Where this worker stood at the end of the round before, if {@link #isAhead}. */
    private final Span own;

    private boolean isAhead;

    /** Theta of the fragments that have landed in the round. */
    private final Span common;

    // Of the round under way.
    private @Nullable Buckets buckets;
    private Span changes;
    private FragmentSchedule schedule = new FragmentSchedule(List.of(), List.of());
    private int landed;
    private boolean isSound;

    /**
     * Rounds of steps.
     *
     * @param optimizer of inner steps, each worker's own
     * @param round the step that all take together, and the fragments
     * @param clipNorm largest norm of an inner step's mean gradient; 0 for no limit
     */
    public StreamedSteps(Replica replica, Optimizer optimizer, RoundSpec round, double clipNorm) {
        this.replica = replica;
        this.inner = new InnerSteps(replica, optimizer, clipNorm);
        this.outer = CommonRule.of(replica, round);
        this.stream = round.stream();
        this.fragments = Fragments.of(replica.layout(), stream.fragments());
        this.progress = new FragmentProgress(stream.fragments());
        this.units = new FragmentUnits(stream);
        long bytes = replica.parameters().bytes();
        this.gradients = Span.allocate(bytes);
        this.start = Span.allocate(bytes);
        this.own = Span.allocate(bytes);
        this.common = Span.allocate(bytes);
        this.outerStart = outer.state().stream().map(s -> Span.allocate(s.data().bytes())).toList();
        this.changes = gradients;
    }

    @Override
    public void formed(Group group) {
        inner.beginAnew();
        progress.beginAnew();
        units.beginAnew();
        isAhead = false;
    }

    @Override
    public void continued(Group group, Collective collective) {
        // The moments stay, and what this worker is ahead.
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        begin(part, buckets);
        try {
            StepLoss sum = StepLoss.NONE;
            for (int i = 0; i < part.ownBatches(); i++) {
                if (!exchange(i)) {
                    return null;
                }
                // Where a loss is no number, the round is not sound: but the others wait for it.
                if (isSound) {
                    if (!feed.isWanted()) {
                        return null;
                    }
                    bind(gradients);
                    StepLoss loss = inner.take(part, i, feed.next());
                    progress.took(loss);
                    sum = sum.plus(loss);
                    isSound = Double.isFinite(sum.lossSum());
                }
            }
            offerRest(part.ownBatches());
            return sum;
        } finally {
            bind(changes);
        }
    }

    private void begin(Part part, Buckets ofRound) {
        buckets = ofRound;
        changes = replica.gradients();
        schedule = FragmentSchedule.of(part.ownBatches(), part.clocks(), stream);
        landed = 0;
        isSound = true;
        start.copyFrom(replica.parameters());
        for (int i = 0; i < outerStart.size(); i++) {
            outerStart.get(i).copyFrom(outer.state().get(i).data());
        }
        inner.begin(part);
        progress.begin();
        units.begin(part);
        if (isAhead) {
            replica.parameters().copyFrom(own);
        }
    }

    /**
     * What is due after so many inner steps but the last: fragments leave and land. False where a
     * fault ended the round.
     */
    private boolean exchange(int done) {
        for (int p = landed; p < fragments.size(); p++) {
            offerIfDue(p, done);
            if (schedule.lands().get(p) > done) {
                return true; // Those behind it leave later.
            }
            if (schedule.lands().get(p) == done && isSound) {
                if (buckets().await() != null) {
                    return false;
                }
                isSound = buckets().sums(p).isSound();
                if (isSound) {
                    bind(changes);
                    land(p);
                }
            }
        }
        return true;
    }

    /** After the last inner step nobody waits for a fragment alone: all land with the round. */
    private void offerRest(int done) {
        for (int p = landed; p < fragments.size(); p++) {
            offerIfDue(p, done);
        }
    }

    private void offerIfDue(int p, int done) {
        if (schedule.leaves().get(p) != done) {
            return;
        }
        bind(changes);
        Span moved = part(replica.parameters(), p);
        ElementType type = replica.layout().type();
        Memory.difference(part(start, p), moved, progress.factor(p), part(changes, p), type);
        FragmentSums own = progress.left(p);
        double unit = units.of(p) * replica.usualWeight();
        buckets().offer(p, isSound ? own : new FragmentSums(Double.NaN, 0), unit);
    }

    /** The common step with a fragment that is summed; then this worker goes on from there. */
    private void land(int p) {
        Span theta = part(replica.parameters(), p);
        Span local = part(common, p);
        local.copyFrom(theta);
        theta.copyFrom(part(start, p));
        FragmentSums sums = buckets().sums(p);
        ElementType type = replica.layout().type();
        if (sums.weight() > 0) {
            Range range = fragments.get(p);
            long from = range.offsetBytes() / type.bytes();
            outer.applyWithin(
                    from,
                    from + range.bytes() / type.bytes(),
                    NormalizedAveraging.divisor(sums.weight(), sums.weightedSteps()));
        }
        Span stepped = part(changes, p); // Free again once the step is taken.
        stepped.copyFrom(theta);
        double kept = stream.overlap() > 0 ? KEPT : 0;
        Memory.combine(stepped, local, theta, type, (all, own) -> all + kept * (own - all));
        local.copyFrom(stepped);
        landed = p + 1;
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new Landing(tail.weight(), part.learningRateFactor().applyAsDouble(0));
    }

    /** What is still under way lands, and the common state becomes what the replica holds. */
    private final class Landing implements Update {
        private final double weight;
        private final double learningRateFactor;

        Landing(double weight, double learningRateFactor) {
            this.weight = weight;
            this.learningRateFactor = learningRateFactor;
        }

        @Override
        public void run() {
            while (landed < fragments.size()) {
                land(landed);
            }
            if (weight > 0) {
                outer.stepped();
            }
            own.copyFrom(replica.parameters());
            replica.parameters().copyFrom(common);
            units.applied();
            isAhead = true;
        }

        @Override
        public double learningRateFactor() {
            return learningRateFactor;
        }

        @Override
        public double gradientNorm() {
            return Double.NaN;
        }
    }

    @Override
    public void discarded() {
        replica.parameters().copyFrom(start);
        for (int i = 0; i < outerStart.size(); i++) {
            outer.state().get(i).data().copyFrom(outerStart.get(i));
        }
        inner.discarded();
        progress.discarded();
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
        long copies = gradients.bytes() + start.bytes() + own.bytes() + common.bytes();
        return copies + inner.bytes() + 2 * Memory.bytes(outer.state());
    }

    @Override
    public void close() {
        inner.close();
        outer.close();
    }

    private Buckets buckets() {
        return Objects.requireNonNull(buckets, "no round is under way");
    }

    private Span part(Span whole, int p) {
        Range range = fragments.get(p);
        return whole.slice(range.offsetBytes(), range.bytes());
    }

    private void bind(Span memory) {
        if (replica.gradients() != memory) {
            replica.bindGradients(memory);
        }
    }
}
