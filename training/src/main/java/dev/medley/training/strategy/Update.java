package dev.medley.training.strategy;

import dev.medley.base.NoiseSample;
import org.jspecify.annotations.Nullable;

/** Applies a change of the parameters, when it is run. */
public interface Update extends Runnable {
    /** Factor of the schedule on the learning rate. */
    double learningRateFactor();

    /** Norm of the mean gradient before clipping; NaN where no limit asked for it. */
    double gradientNorm();

    /** The gradient's noise as the step measured it; null where nobody asked, or it cannot. */
    default @Nullable NoiseSample noise() {
        return null;
    }
}
