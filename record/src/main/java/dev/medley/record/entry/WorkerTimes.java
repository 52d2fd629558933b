package dev.medley.record.entry;

/**
 * A worker's part of a step. Times are of its training thread and do not overlap; what is missing
 * to the step's time is bookkeeping.
 *
 * @param worker its id
 * @param samples of its share
 * @param computeNs forward, backward and update
 * @param exchangeNs moving and summing buckets that backward did not hide
 * @param waitingNs for the other workers
 * @param dataNs for its next batch
 * @param sentBytes to peers in this step
 * @param residentBytes memory of the process that is in RAM
 */
public record WorkerTimes(
        int worker,
        long samples,
        long computeNs,
        long exchangeNs,
        long waitingNs,
        long dataNs,
        long sentBytes,
        long residentBytes) {}
