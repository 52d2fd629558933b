package dev.medley.net.link;

import dev.medley.base.Fault;

/**
 * Carries a {@link Fault} up the stack of one thread, to the place where it becomes a value. It
 * never leaves its thread, and has no stack trace, since the fault holds the whole message.
 */
public final class FaultSignal extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    /** Ends what this thread is doing because of {@code fault}. */
    public FaultSignal(Fault fault) {
        super(fault.message(), null, false, false);
        this.fault = fault;
    }

    /** What went wrong. */
    public Fault fault() {
        return fault;
    }
}
