package dev.medley.api;

import java.nio.file.Path;

/** Training ended without a model, for a reason that is not in the user's settings. */
public final class TrainingFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why, and where the record of the run is. */
    public TrainingFailedException(String why, Path run) {
        super(why + "; the run's record is in " + run);
    }
}
