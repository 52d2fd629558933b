package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import org.jspecify.annotations.Nullable;

/**
 * The intervals between the checkpoints of a run, and the number of checkpoints that are kept.
 *
 * @param everySteps steps between two checkpoints; 0 for never by steps
 * @param everyNs time between two checkpoints; 0 for never by time
 * @param keep latest checkpoints kept
 * @param store folder of an object store in which the run is kept, too; null for none
 */
public record CheckpointSpec(long everySteps, long everyNs, int keep, @Nullable String store) {
    private static final String STORE = "checkpoint.store";

    public CheckpointSpec {
        check(everySteps >= 0, "checkpoint.every_steps=%d: 0 or more", everySteps);
        check(everyNs >= 0, "checkpoint.every=%d ns: 0 or more", everyNs);
        check(keep >= 1, "checkpoint.keep=%d: at least 1", keep);
        if (store != null) {
            StoreUrl unused = StoreUrl.of(STORE, store);
        }
    }

    /** In the run's folder alone. */
    public CheckpointSpec(long everySteps, long everyNs, int keep) {
        this(everySteps, everyNs, keep, null);
    }

    /** The object store in which the run is kept, too; null for none. */
    public @Nullable StoreUrl storeUrl() {
        return store == null ? null : StoreUrl.of(STORE, store);
    }

    /** The same, kept in that folder of an object store, too; in none where it is null. */
    public CheckpointSpec in(@Nullable String folder) {
        return new CheckpointSpec(everySteps, everyNs, keep, folder);
    }

    /** Every minute, the last two. */
    public static CheckpointSpec defaults() {
        return new CheckpointSpec(0, 60_000_000_000L, 2);
    }
}
