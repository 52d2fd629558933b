package dev.medley.training.factor;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.exchange.Collective;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.factor.RowExchange;
import dev.medley.tensor.factor.RowRule;
import dev.medley.tensor.factor.TouchedBatch;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains a factorisation by synchronous data parallelism in which only the rows travel and move
 * that a step's samples touch. All tell each other which these are, then sum as many gradients, and
 * every rank moves these rows by the same sums. It waits twice in a step, for the slowest to tell
 * and for the sums; what travels does not grow with the tables.
 */
public final class TouchedRows implements Strategy {
    private final FactorLearner learner;
    private final RowRule rule;
    private final double clipNorm;
    private @Nullable Collective collective;
    private int[] rows = {};
    private float[] gradients = {};
    private @Nullable RowExchange exchange;

    /**
     * A strategy for one member.
     *
     * @param clipNorm largest norm of the mean gradient; 0 for no limit
     */
    public TouchedRows(FactorLearner learner, RowRule rule, double clipNorm) {
        this.learner = learner;
        this.rule = rule;
        this.clipNorm = clipNorm;
    }

    @Override
    public void formed(Group group) {
        throw new IllegalStateException("rows need a group that exchanges");
    }

    @Override
    public void formed(Group group, Collective with) {
        collective = with;
    }

    @Override
    public @Nullable StepLoss compute(Part part, Feed feed, Buckets buckets) {
        Batch batch = feed.next();
        TouchedBatch own = learner.touched(batch, part.step(), part.position());
        Collective all = Objects.requireNonNull(collective, "no group");
        if (all.size() == 1) {
            exchange = null;
            rows = own.rows();
            return gradient(own);
        }
        RowExchange sums = learner.exchange(part.shares());
        exchange = sums;
        sums.write(part.rank(), batch.samples() == 0 ? new int[0] : own.rows());
        all.sum(learner.exchangeOffset(), sums.numberBytes(), ElementType.FLOAT64);
        Fault fault = all.await();
        if (fault != null) {
            return null;
        }
        rows = sums.union();
        StepLoss loss = gradient(own.among(rows));
        sums.put(gradients);
        all.sum(
                learner.exchangeOffset() + sums.numberBytes(),
                sums.gradientBytes(rows.length),
                ElementType.FLOAT32);
        return loss;
    }

    private StepLoss gradient(TouchedBatch own) {
        gradients = new float[rows.length * learner.stride()];
        return learner.gradient(own, gradients);
    }

    @Override
    public Update update(Part part, Tail tail) {
        RowExchange sums = exchange;
        if (sums != null) {
            sums.get(gradients);
        }
        double weight = tail.weight();
        double norm = clipNorm > 0 && weight > 0 ? norm() / weight : Double.NaN;
        double clip = norm > clipNorm ? clipNorm / norm : 1;
        double factor = part.learningRateFactor().applyAsDouble(0);
        return new Update() {
            @Override
            public void run() {
                if (weight > 0) {
                    rule.apply(rows, gradients, factor, weight / clip);
                }
            }

            @Override
            public double learningRateFactor() {
                return factor;
            }

            @Override
            public double gradientNorm() {
                return norm;
            }
        };
    }

    private double norm() {
        double squares = 0;
        for (float slope : gradients) {
            squares += (double) slope * slope;
        }
        return Math.sqrt(squares);
    }

    @Override
    public void discarded() {
        // Nothing moves before an update runs.
    }

    @Override
    public List<NamedSpan> state() {
        return rule.state();
    }

    @Override
    public List<NamedSpan> moments() {
        return rule.state();
    }

    @Override
    public long bytes() {
        return Memory.bytes(rule.state());
    }

    @Override
    public void close() {
        // Spans free themselves.
    }
}
