package dev.medley.control.failure;

import java.util.concurrent.TimeUnit;

/**
 * Holds the user's wish to end the run, and the time limit of its last checkpoint. Owned by the
 * agent.
 */
public final class Interruption {
    private static final long SAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);

    private boolean isWished;
    private long saveDeadlineNs = Long.MAX_VALUE;

    /** Whether somebody wishes the run to end. */
    public boolean isWished() {
        return isWished;
    }

    /** Wishes the run to end; any thread may. */
    public void wish() {
        isWished = true;
    }

    /** The members have stopped and one of them writes a checkpoint. */
    public void saving(long nowNs) {
        saveDeadlineNs = nowNs + SAVE_TIMEOUT_NS;
    }

    /** Whether one of the members was told to write it. */
    public boolean isSaving() {
        return saveDeadlineNs != Long.MAX_VALUE;
    }

    /** Whether the checkpoint that was asked for has taken too long. */
    public boolean isSaveOverdue(long nowNs) {
        return nowNs > saveDeadlineNs;
    }
}
