package dev.medley.tensor.model;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.tensor.layout.Slot.MemoryOrder;

/**
 * The options with which a replica is built.
 *
 * @param seed of initial parameters and dropout
 * @param precision of forward and backward; FP64 makes everything double
 * @param imageOrder of images and of the weights of convolutions in memory
 */
public record ReplicaOptions(long seed, Precision precision, MemoryOrder imageOrder) {
    /** Channels innermost, which oneDNN is faster at. */
    public static ReplicaOptions of(long seed, Precision precision) {
        return new ReplicaOptions(seed, precision, MemoryOrder.CHANNELS_LAST);
    }

    /** The same with another order of images. */
    public ReplicaOptions withImageOrder(MemoryOrder order) {
        return new ReplicaOptions(seed, precision, order);
    }

    /** Checks that a running replica can change to {@code next}. */
    void requireSwitchTo(Precision next) {
        check(
                (precision == Precision.FP64) == (next == Precision.FP64),
                "a replica built for %s cannot change to %s: only fp32, bf16 and auto can change"
                        + " into each other",
                precision,
                next);
    }
}
