package dev.medley.loop.state;

/** Names how a stage or a run ended. */
public enum StageOutcome {
    /** It works, or was cut off. */
    RUNNING,
    /** All that it was for is done. */
    DONE,
    /** There was nothing to do. */
    SKIPPED,
    /** What it found stops the run here, as was asked for: nothing after it is done. */
    HELD,
    /** It could not do what it was for; the next run takes it up again. */
    FAILED;

    /** Whether stages after it may begin. */
    public boolean goesOn() {
        return this == DONE || this == SKIPPED;
    }
}
