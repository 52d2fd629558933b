package dev.medley.tensor.layer;

import dev.medley.tensor.RandomStream;

/**
 * One walk through a network.
 *
 * @param mode whether it learns
 * @param random of this pass: the same for the same (seed, step, position)
 */
public record Pass(Mode mode, RandomStream random) {
    /** What a walk is for. */
    public enum Mode {
        TRAINING,
        EVALUATION
    }

    /** Whether the network learns from this pass. */
    public boolean isTraining() {
        return mode == Mode.TRAINING;
    }
}
