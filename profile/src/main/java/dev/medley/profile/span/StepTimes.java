package dev.medley.profile.span;

/**
 * Where the time of one step went, in nanoseconds of the training thread. The parts do not overlap:
 * work that other threads did meanwhile is in none of them.
 *
 * @param stepNs from begin to end
 * @param computeNs forward, backward and update
 * @param exchangeNs moving and summing buckets that backward did not hide
 * @param waitingNs for other workers
 * @param dataNs for the next batch
 */
public record StepTimes(long stepNs, long computeNs, long exchangeNs, long waitingNs, long dataNs) {
    /** What no phase claimed: bookkeeping, checkpoints' staging, callbacks. */
    public long otherNs() {
        return Math.max(0, stepNs - computeNs - exchangeNs - waitingNs - dataNs);
    }
}
