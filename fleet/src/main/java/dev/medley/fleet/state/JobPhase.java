package dev.medley.fleet.state;

/** Names where a job stands. */
public enum JobPhase {
    QUEUED,
    STARTING,
    RUNNING,
    PAUSING,
    PAUSED,
    DONE,
    FAILED,
    CANCELLED;

    /** Whether nothing more will come of it. */
    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
