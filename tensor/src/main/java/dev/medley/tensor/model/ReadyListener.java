package dev.medley.tensor.model;

/**
 * Hears when a gradient is complete in the gradients' memory, once for every slot of the layout. It
 * is called on the thread that runs the step, while backward still computes the others.
 */
@FunctionalInterface
public interface ReadyListener {
    /** Wants to know nothing; for all micro-batches but the last. */
    ReadyListener NONE = slot -> {};

    /** The gradient of slot {@code slot} will not change any more in this step. */
    void ready(int slot);
}
