package dev.medley.training.kmeans;

import dev.medley.training.strategy.Update;

/**
 * Applies what follows from a step's sums; there is neither a learning rate nor a gradient.
 *
 * @param next moves the centres
 */
record Moved(Runnable next) implements Update {
    @Override
    public void run() {
        next.run();
    }

    @Override
    public double learningRateFactor() {
        return 1;
    }

    @Override
    public double gradientNorm() {
        return Double.NaN;
    }
}
