package dev.medley.training.strategy;

/** A change of the parameters, ready to be applied. */
public interface Update extends Runnable {
    /** Factor of the schedule on the learning rate. */
    double learningRateFactor();

    /** Norm of the mean gradient before clipping; NaN where no limit asked for it. */
    double gradientNorm();
}
