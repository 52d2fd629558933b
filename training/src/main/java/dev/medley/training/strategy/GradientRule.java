package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.NoiseSample;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves a replica along the mean gradient by an optimizer. With b_i the weight of rank i's samples
 * and g_i their mean gradient, that is g = sum(b_i g_i) / sum(b_i).
 *
 * <p>The gradient's noise, where it is asked for, costs one more pass over the gradient: each
 * rank's own squared norm is in the tail anyway. A single worker compares its first micro-batch
 * with the whole.
 */
public final class GradientRule implements LearningRule {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double clipNorm;
    private final boolean measuresNoise;
    private final InsteadOfGradient instead;

    // Of the first micro-batch of the step under way.
    private boolean comparesFirst;
    private double firstWeight;
    private double firstSquare;

    /**
     * A rule that does not measure noise.
     *
     * @param clipNorm largest norm of the mean gradient; 0 for no limit
     */
    public GradientRule(Replica replica, Optimizer optimizer, double clipNorm) {
        this(replica, optimizer, clipNorm, false);
    }

    /** The same; the noise of the gradient is measured where the batch adapts. */
    public GradientRule(
            Replica replica, Optimizer optimizer, double clipNorm, boolean measuresNoise) {
        this(replica, optimizer, clipNorm, measuresNoise, InsteadOfGradient.NOTHING);
    }

    /** The same where something else travels than the gradient; what is summed is not clipped. */
    public static GradientRule sending(
            Replica replica, Optimizer optimizer, InsteadOfGradient instead) {
        return new GradientRule(replica, optimizer, 0, false, instead);
    }

    private GradientRule(
            Replica replica,
            Optimizer optimizer,
            double clipNorm,
            boolean measuresNoise,
            InsteadOfGradient instead) {
        this.replica = replica;
        this.optimizer = optimizer;
        this.clipNorm = clipNorm;
        this.measuresNoise = measuresNoise;
        this.instead = instead;
    }

    @Override
    public Learner learner() {
        return replica;
    }

    /**
     * Members with unlike LibTorch kernels apply updates in plain Java, which is equal everywhere.
     */
    @Override
    public void formed(Group group) {
        chooseArithmetic(group);
        instead.forget();
    }

    /** What travels instead of gradients goes on. */
    @Override
    public void continued(Group group) {
        chooseArithmetic(group);
    }

    private void chooseArithmetic(Group group) {
        optimizer.setArithmetic(group.hasEqualKernels() ? Arithmetic.LIBTORCH : Arithmetic.STRICT);
    }

    @Override
    public void begin(Part part, Buckets buckets, DoubleSupplier weight) {
        instead.travelIn(buckets, part, weight);
        firstWeight = 0;
        comparesFirst = measuresNoise && part.batches().size() == 1;
    }

    @Override
    public void firstTaken(double weight) {
        if (comparesFirst) {
            firstWeight = weight;
            double squared = replica.gradientSquaredNorm(optimizer.arithmetic());
            firstSquare = squared / (weight * weight);
        }
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
    public List<NamedSpan> state() {
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
