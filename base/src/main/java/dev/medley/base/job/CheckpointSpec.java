package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

/**
 * The intervals between the checkpoints of a run, and the number of checkpoints that are kept.
 *
 * @param everySteps steps between two checkpoints; 0 for never by steps
 * @param everyNs time between two checkpoints; 0 for never by time
 * @param keep latest checkpoints kept
 */
public record CheckpointSpec(long everySteps, long everyNs, int keep) {
    public CheckpointSpec {
        check(everySteps >= 0, "checkpoint.every_steps=%d: 0 or more", everySteps);
        check(everyNs >= 0, "checkpoint.every=%d ns: 0 or more", everyNs);
        check(keep >= 1, "checkpoint.keep=%d: at least 1", keep);
    }

    /** Every minute, the last two. */
    public static CheckpointSpec defaults() {
        return new CheckpointSpec(0, 60_000_000_000L, 2);
    }
}
