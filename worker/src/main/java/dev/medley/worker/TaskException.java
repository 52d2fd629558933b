package dev.medley.worker;

import dev.medley.net.control.Message.FailureKind;

/** Ends a worker because of what its task came to, with a message that is complete for the user. */
public abstract class TaskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    /** Of this kind, for the coordinator. */
    protected TaskException(FailureKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** What the coordinator is told. */
    public final FailureKind kind() {
        return kind;
    }
}
