package dev.medley.training.strategy;

import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.function.DoubleSupplier;

/**
 * Puts something else in the place of a worker's gradient before it travels, and takes the sum. One
 * owner: the training thread.
 */
interface InsteadOfGradient {
    /** The gradient itself. */
    InsteadOfGradient NOTHING = new InsteadOfGradient() {};

    /**
     * A step begins.
     *
     * @param weight of this worker's samples
     */
    default void travelIn(Buckets buckets, Part part, DoubleSupplier weight) {}

    /**
     * All of a step has been summed, which is about to be applied: leaves the sum of the gradients
     * where the sum is.
     */
    default void summed(Part part, Tail tail) {}

    /** A group begins whose members have nothing in common but the state. */
    default void forget() {}

    /** Memory of its own. */
    default long bytes() {
        return 0;
    }
}
