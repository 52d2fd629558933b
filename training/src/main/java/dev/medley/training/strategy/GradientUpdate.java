package dev.medley.training.strategy;

import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;

/**
 * One step of the optimizer: divides the summed gradient by the summed weights, limits its norm,
 * and moves the parameters, in one fused pass. Where no sample of the step has a weight (all its
 * tokens are without a target, say) there is nothing to learn, and nothing moves.
 */
final class GradientUpdate implements Update {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double weight;
    private final double clipNorm;
    private final double learningRateFactor;

    private double gradientNorm = Double.NaN;

    GradientUpdate(
            Replica replica,
            Optimizer optimizer,
            double weight,
            double clipNorm,
            double learningRateFactor) {
        this.replica = replica;
        this.optimizer = optimizer;
        this.weight = weight;
        this.clipNorm = clipNorm;
        this.learningRateFactor = learningRateFactor;
    }

    @Override
    public void run() {
        if (weight == 0) {
            return;
        }
        double scale = 1;
        if (clipNorm > 0) {
            double squared = replica.gradientSquaredNorm(optimizer.arithmetic());
            gradientNorm = Math.sqrt(squared) / weight;
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
}
