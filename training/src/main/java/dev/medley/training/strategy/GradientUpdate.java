package dev.medley.training.strategy;

import dev.medley.base.NoiseSample;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;
import org.jspecify.annotations.Nullable;

/**
 * Takes one step of the optimizer: divides the summed gradient by the summed weights, limits its
 * norm, and moves the parameters, in one fused pass. Where no sample of the step has a weight (all
 * its tokens are without a target, say) nothing can be learnt, and nothing moves.
 */
public final class GradientUpdate implements Update {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double weight;
    private final double clipNorm;
    private final double learningRateFactor;
    private final Noise noiseOf;
    private final Runnable moving;

    private double gradientNorm = Double.NaN;
    private @Nullable NoiseSample noise;

    /** Asks for the noise of a gradient. */
    @FunctionalInterface
    interface Noise {
        /** Nobody asks. */
        Noise UNASKED = squaredNorm -> null;

        /** From the squared norm of the mean gradient. */
        @Nullable NoiseSample of(double squaredNorm);
    }

    /** An update of whose noise nobody asks. */
    public GradientUpdate(
            Replica replica,
            Optimizer optimizer,
            double weight,
            double clipNorm,
            double learningRateFactor) {
        this(replica, optimizer, weight, clipNorm, learningRateFactor, Noise.UNASKED, () -> {});
    }

    /**
     * An update of whose noise somebody may ask.
     *
     * @param moving called where something moves, and before
     */
    public GradientUpdate(
            Replica replica,
            Optimizer optimizer,
            double weight,
            double clipNorm,
            double learningRateFactor,
            Noise noiseOf,
            Runnable moving) {
        this.replica = replica;
        this.optimizer = optimizer;
        this.weight = weight;
        this.clipNorm = clipNorm;
        this.learningRateFactor = learningRateFactor;
        this.noiseOf = noiseOf;
        this.moving = moving;
    }

    @Override
    public void run() {
        if (weight == 0) {
            return;
        }
        moving.run();
        double scale = 1;
        if (clipNorm > 0 || noiseOf != Noise.UNASKED) {
            double squared = replica.gradientSquaredNorm(optimizer.arithmetic());
            gradientNorm = Math.sqrt(squared) / weight;
            noise = noiseOf.of(gradientNorm * gradientNorm);
        }
        if (clipNorm > 0) {
            scale = Math.min(1, clipNorm / (gradientNorm + 1e-6));
        }
        optimizer.apply(learningRateFactor, weight, scale);
    }

    @Override
    public double learningRateFactor() {
        return learningRateFactor;
    }

    @Override
    public double gradientNorm() {
        return gradientNorm;
    }

    @Override
    public @Nullable NoiseSample noise() {
        return noise;
    }
}
