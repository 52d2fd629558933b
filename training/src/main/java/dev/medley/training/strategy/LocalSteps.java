package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.job.RoundSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of steps that each worker takes by itself, then one step together: local SGD (Stich, ICLR
 * 2019, arXiv 1805.09767) and DiLoCo (Douillard et al. 2023, arXiv 2311.08105).
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
 * <p>The inner optimizer's moments are each worker's own. They stay as long as the same members go
 * on, also under another plan, and begin anew where anybody came or went. So the state of a run is
 * theta and u alone: who joins needs no more, a discarded round puts back theta and the moments,
 * and a recorded run, whose plans say which groups went on, repeats bit for bit although workers
 * came and went.
 *
 * <p>Memory beside data parallelism: one copy of the parameters and of the moments, and one of the
 * parameters for u if mu is not 0.
 */
public final class LocalSteps implements Strategy {
    private final Replica replica;
    private final InnerSteps inner;
    private final Optimizer outer;
    private final Span start;

    /**
     * Rounds of steps.
     *
     * @param inner each worker's own
     * @param round the step that all take together
     * @param clipNorm largest norm of an inner step's mean gradient; 0 for no limit
     */
    public LocalSteps(Replica replica, Optimizer inner, RoundSpec round, double clipNorm) {
        this.replica = replica;
        this.inner = new InnerSteps(replica, inner, clipNorm);
        this.outer = CommonRule.of(replica, round);
        this.start = Span.allocate(replica.parameters().bytes());
    }

    @Override
    public void formed(Group group) {
        inner.beginAnew();
    }

    @Override
    public void continued(Group group, Collective collective) {
        // The moments stay.
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        start.copyFrom(replica.parameters());
        inner.begin(part);
        StepLoss sum = StepLoss.NONE;
        // Where a loss is no number, the round is not sound: what would follow is of no use.
        for (int i = 0; i < part.ownBatches() && Double.isFinite(sum.lossSum()); i++) {
            if (!feed.isWanted()) {
                return null;
            }
            sum = sum.plus(inner.take(part, i, feed.next()));
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
