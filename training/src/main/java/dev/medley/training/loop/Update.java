package dev.medley.training.loop;

import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;

/**
 * The update of one step, ready to be applied: divides the summed gradient by the summed weights,
 * limits its norm, and moves the parameters, in one fused pass. Where no sample of the step has a
 * weight (all its tokens are without a target, say) there is nothing to learn, and nothing moves.
 */
final class Update implements Runnable {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double weight;
    private final double clipNorm;
    private final double learningRateFactor;

    private double gradientNorm = Double.NaN;

    Update(
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

    double learningRateFactor() {
        return learningRateFactor;
    }

    /** Norm of the mean gradient before clipping; NaN where no limit asked for it. */
    double gradientNorm() {
        return gradientNorm;
    }
}
