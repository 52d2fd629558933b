package dev.medley.training.strategy;

import dev.medley.base.memory.Span;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;

/**
 * Takes the step of all members at the end of a round, from the parameters with which they began
 * it, along the summed changes. There is no step where no sample has a weight.
 */
public final class CommonStep implements Update {
    private final Replica replica;
    private final Optimizer outer;
    private final Span start;
    private final double divisor;
    private final double learningRateFactor;
    private final Runnable followed;

    /**
     * A step along {@code gradients / divisor}.
     *
     * @param learningRateFactor of the schedule, as it is reported of the round
     */
    public CommonStep(
            Replica replica,
            Optimizer outer,
            Span start,
            double divisor,
            double learningRateFactor) {
        this(replica, outer, start, divisor, learningRateFactor, () -> {});
    }

    private CommonStep(
            Replica replica,
            Optimizer outer,
            Span start,
            double divisor,
            double learningRateFactor,
            Runnable followed) {
        this.replica = replica;
        this.outer = outer;
        this.start = start;
        this.divisor = divisor;
        this.learningRateFactor = learningRateFactor;
        this.followed = followed;
    }

    /** The same, followed by something. */
    public CommonStep then(Runnable what) {
        return new CommonStep(replica, outer, start, divisor, learningRateFactor, what);
    }

    @Override
    public void run() {
        replica.parameters().copyFrom(start);
        if (divisor > 0) {
            outer.apply(1, divisor, 1);
        }
        followed.run();
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
