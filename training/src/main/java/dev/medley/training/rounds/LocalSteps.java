package dev.medley.training.rounds;

import dev.medley.base.Group;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.exchange.Collective;
import dev.medley.exchange.sum.Scope;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
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
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trains in rounds: each worker takes steps by itself, then all take one step together. That is
 * local SGD (Stich, ICLR 2019, arXiv 1805.09767) and DiLoCo (Douillard et al. 2023, arXiv
 * 2311.08105).
 *
 * <pre>
 *     theta_i = theta;  H_i times:  theta_i = inner(theta_i, gradient on the next batch)
 *     delta_i = theta - theta_i;  D = normalised mean of all delta_i
 *     u = mu u + D;  theta = theta - eta (D + mu u)
 * </pre>
 *
 * <p>With eta 1 and mu 0 theta becomes the mean of all theta_i, which is local SGD. The change
 * travels where a gradient would, once in a round; D is that of {@link NormalizedAveraging}. The
 * common step is computed in plain Java from numbers that all have alike, so theta and u are equal
 * on all members, bit by bit.
 *
 * <p>With {@link #ofSites} the workers of a site are one worker i: hierarchical local SGD (Lin,
 * Stich, Patel, Jaggi, ICLR 2020, arXiv 1808.07217) with the common step of DiLoCo. In each inner
 * step they sum their gradients g and weights w among themselves, and all of them apply
 *
 * <pre>
 *     theta_i = inner(theta_i, sum over the site (g) / sum over the site (w))
 * </pre>
 *
 * so parameters and moments stay equal among them, bit by bit. Each of them hands over the change
 * of its site with the weight of its own samples, so D is the same formula over ranks: the sum over
 * a site's ranks is its change with the weight of all its samples.
 *
 * <p>The inner optimizer's moments are each worker's own. They stay as long as the same members
 * continue at the same sites, also under another plan, and begin anew where a member came or went.
 * So the state of a run is only theta and u: a worker that joins needs no more, a discarded round
 * puts back theta and the moments, and a recorded run, whose plans say which groups continued,
 * repeats bit for bit although workers came and went.
 *
 * <p>Memory beside data parallelism: one copy of the parameters and of the moments, and one of the
 * parameters for u if mu is not 0.
 */
public final class LocalSteps implements Strategy {
    private final Replica replica;
    private final InnerSteps inner;
    private final Optimizer outer;
    private final Scope reach;
    private final Span start;

    /** Of this rank's site, in the group before; of rounds of sites alone. */
    private List<Integer> mates = List.of();

    /**
     * Rounds of steps.
     *
     * @param inner each worker's own
     * @param round the step that all take together
     * @param clipNorm largest norm of an inner step's mean gradient; 0 for no limit
     */
    public LocalSteps(Replica replica, Optimizer inner, RoundSpec round, double clipNorm) {
        this(replica, inner, round, clipNorm, Scope.ALL);
    }

    /** The same, where the workers of a site take each inner step as one. */
    public static LocalSteps ofSites(
            Replica replica, Optimizer inner, RoundSpec round, double clipNorm) {
        return new LocalSteps(replica, inner, round, clipNorm, Scope.SITE);
    }

    private LocalSteps(
            Replica replica, Optimizer inner, RoundSpec round, double clipNorm, Scope reach) {
        this.replica = replica;
        this.reach = reach;
        this.inner = new InnerSteps(replica, inner, clipNorm);
        this.outer = CommonRule.of(replica, round);
        this.start = Span.allocate(replica.parameters().bytes());
    }

    @Override
    public void formed(Group group) {
        inner.beginAnew();
    }

    @Override
    public void formed(Group group, Collective collective) {
        meetMates(group, collective);
        formed(group);
    }

    /** The moments stay, unless others are at this site now: mates begin with equal ones. */
    @Override
    public void continued(Group group, Collective collective) {
        if (!meetMates(group, collective)) {
            formed(group);
        }
    }

    /** Whether they are those of the group before. */
    private boolean meetMates(Group group, Collective collective) {
        if (!isOfSites()) {
            return true;
        }
        List<Integer> before = mates;
        mates = collective.mates();
        long kernels =
                mates.stream().map(r -> group.members().get(r).kernelKey()).distinct().count();
        inner.setArithmetic(kernels == 1 ? Arithmetic.LIBTORCH : Arithmetic.STRICT);
        return mates.equals(before);
    }

    private boolean isOfSites() {
        return reach == Scope.SITE;
    }

    @Override
    public SiteMap teams(Group group) {
        return isOfSites() ? SiteMap.of(group) : SiteMap.apart(group.size());
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        start.copyFrom(replica.parameters());
        inner.begin(part);
        StepLoss sum = StepLoss.NONE;
        boolean isSound = true;
        // Where a loss is no number, the round is not sound: what would follow is of no use.
        for (int i = 0; i < part.ownBatches() && isSound; i++) {
            if (!feed.isWanted()) {
                return null;
            }
            StepLoss loss =
                    isOfSites()
                            ? inner.takeWithMates(part, i, feed.next(), buckets)
                            : inner.take(part, i, feed.next());
            if (loss == null) {
                return null;
            }
            sum = sum.plus(loss);
            isSound = isOfSites() ? buckets.isSoundAtSite() : Double.isFinite(sum.lossSum());
        }
        offerChange(NormalizedAveraging.factor(sum.weight(), part.ownBatches()), buckets);
        return sum;
    }

    @Override
    public Update update(Part part, Tail tail) {
        List<Double> weights =
                IntStream.range(0, part.batches().size()).mapToObj(tail::weight).toList();
        double divisor = NormalizedAveraging.divisor(weights, part.batches());
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

    /** Mates begin with equal moments, which a strategy without mates does not leave. */
    @Override
    public boolean takesMomentsOf(Strategy before) {
        return !isOfSites();
    }

    @Override
    public long bytes() {
        return start.bytes() + inner.bytes() + Memory.bytes(outer.state());
    }

    @Override
    public void close() {
        inner.close();
        outer.close();
    }

    private void offerChange(double factor, Buckets buckets) {
        Memory.difference(
                start, replica.parameters(), factor, replica.gradients(), replica.layout().type());
        JointChange.offer(replica, buckets);
    }
}
