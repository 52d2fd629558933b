package dev.medley.record.entry;

/** The state of a run. */
public enum RunStatus {
    /** Its process lives. */
    RUNNING,
    /** It reached its end. */
    DONE,
    /** It ended before its end, on the user's word. */
    INTERRUPTED,
    /** It ended before its end, by itself. */
    FAILED,
    /** It says that it runs, but its process is gone: killed, or the machine went down. */
    VANISHED
}
