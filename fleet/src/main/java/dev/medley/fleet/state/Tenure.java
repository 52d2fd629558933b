package dev.medley.fleet.state;

import org.jspecify.annotations.Nullable;

/**
 * Says that a job held a machine for a time.
 *
 * @param toEpochS null while it holds it
 * @param why one sentence for its beginning
 */
public record Tenure(
        String machine, long job, double fromEpochS, @Nullable Double toEpochS, String why) {
    /** The same, over. */
    public Tenure ended(double epochS) {
        return new Tenure(machine, job, fromEpochS, epochS, why);
    }
}
