package dev.medley.training.loop;

import dev.medley.net.control.Message.FailureKind;
import dev.medley.worker.TaskException;

/**
 * A loss or gradient is not a finite number. Thrown on all members alike, before the update, so
 * parameters, running statistics and optimizer are those of the step before.
 */
public final class UnsoundStepException extends TaskException {
    private static final long serialVersionUID = 1L;

    /** A complete message for the user. */
    public UnsoundStepException(String message) {
        super(FailureKind.UNSOUND, message);
    }
}
