package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.NoiseSample;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trains by synchronous data parallelism with weighted averaging. With b_i the weight of rank i's
 * samples and g_i their mean gradient, every rank applies g = sum(b_i g_i) / sum(b_i). The ranks
 * exchange b_i g_i and b_i, so shares may differ and may be empty. Buckets leave while backward
 * still runs.
 *
 * <p>The gradient's noise, where it is asked for, costs one more pass over the gradient: each
 * rank's own squared norm is in the tail anyway. A single worker compares its first micro-batch
 * with the whole.
 */
public final class EveryStep implements Strategy {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double clipNorm;
    private final boolean measuresNoise;
    private final Passes passes;
    private final InsteadOfGradient instead;

    // Of the first micro-batch of the step under way.
    private double firstWeight;
    private double firstSquare;

    /**
     * A strategy that moves all replicas by the same optimizer, and does not measure noise.
     *
     * @param clipNorm largest norm of the mean gradient; 0 for no limit
     */
    public EveryStep(Replica replica, Optimizer optimizer, double clipNorm) {
        this(replica, optimizer, clipNorm, false);
    }

    /** Sums gradients; the noise of the gradient is measured where the batch adapts. */
    public EveryStep(Replica replica, Optimizer optimizer, double clipNorm, boolean measuresNoise) {
        this(replica, optimizer, clipNorm, measuresNoise, InsteadOfGradient.NOTHING);
    }

    /** The same where something else travels than the gradient; what is summed is not clipped. */
    public static EveryStep sending(
            Replica replica, Optimizer optimizer, InsteadOfGradient instead) {
        return new EveryStep(replica, optimizer, 0, false, instead);
    }

    private EveryStep(
            Replica replica,
            Optimizer optimizer,
            double clipNorm,
            boolean measuresNoise,
            InsteadOfGradient instead) {
        this.instead = instead;
        this.measuresNoise = measuresNoise;
        this.replica = replica;
        this.optimizer = optimizer;
        this.clipNorm = clipNorm;
        this.passes = new Passes(replica);
    }

    /**
     * Members with unlike LibTorch kernels apply updates in plain Java, which is equal everywhere.
     */
    @Override
    public void formed(Group group) {
        chooseArithmetic(group);
        instead.forget();
    }

    /** The members are the same: what travels instead of gradients goes on. */
    @Override
    public void continued(Group group, Collective collective) {
        chooseArithmetic(group);
    }

    private void chooseArithmetic(Group group) {
        optimizer.setArithmetic(group.hasEqualKernels() ? Arithmetic.LIBTORCH : Arithmetic.STRICT);
    }

    @Override
    public StepLoss compute(Part part, Feed feed, Buckets buckets) {
        Batch batch = feed.next();
        DoubleSupplier weight = () -> replica.weight(batch);
        buckets.weigh(weight);
        instead.travelIn(buckets, part, weight);
        firstWeight = 0;
        boolean isAlone = part.batches().size() == 1;
        Passes.First first = measuresNoise && isAlone ? this::firstDone : Passes.First.UNHEARD;
        return passes.of(batch, part, part.position(), buckets, first);
    }

    private void firstDone(double weight) {
        firstWeight = weight;
        firstSquare = replica.gradientSquaredNorm(optimizer.arithmetic()) / (weight * weight);
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new GradientUpdate(
                replica,
                optimizer,
                tail.weight(),
                clipNorm,
                part.learningRateFactor().applyAsDouble(0),
                measuresNoise ? square -> noise(part, tail, square) : GradientUpdate.Noise.UNASKED,
                () -> instead.summed(part, tail));
    }

    private @Nullable NoiseSample noise(Part part, Tail tail, double square) {
        int ranks = part.batches().size();
        if (ranks == 1) {
            return NoiseSample.nested(firstWeight, firstSquare, tail.weight(), square);
        }
        List<Double> weights = IntStream.range(0, ranks).mapToObj(tail::weight).toList();
        List<Double> squares =
                IntStream.range(0, ranks)
                        .mapToObj(r -> tail.squaredNorm(r) / (weights.get(r) * weights.get(r)))
                        .toList();
        return NoiseSample.of(weights, squares, square);
    }

    @Override
    public void discarded() {
        // The gradients are written anew by the next step; nothing else has changed.
    }

    @Override
    public List<NamedSpan> state() {
        return optimizer.state();
    }

    @Override
    public List<NamedSpan> moments() {
        return optimizer.state();
    }

    @Override
    public long bytes() {
        return Memory.bytes(optimizer.state()) + instead.bytes();
    }

    @Override
    public void close() {
        optimizer.close();
    }
}
