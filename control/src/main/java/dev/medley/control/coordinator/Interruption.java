package dev.medley.control.coordinator;

import java.util.concurrent.TimeUnit;

/**
 * Holds the user's wish to end the run, and the time limit of its last checkpoint. Owned by the
 * agent.
 */
final class Interruption {
    private static final long SAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);

    private boolean isWished;
    private long saveDeadlineNs = Long.MAX_VALUE;

    boolean isWished() {
        return isWished;
    }

    void wish() {
        isWished = true;
    }

    /** The members have stopped and one of them writes a checkpoint. */
    void saving(long nowNs) {
        saveDeadlineNs = nowNs + SAVE_TIMEOUT_NS;
    }

    /** Whether one of the members was told to write it. */
    boolean isSaving() {
        return saveDeadlineNs != Long.MAX_VALUE;
    }

    boolean isSaveOverdue(long nowNs) {
        return nowNs > saveDeadlineNs;
    }
}
