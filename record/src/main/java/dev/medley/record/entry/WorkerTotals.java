package dev.medley.record.entry;

/**
 * A worker's part of a run.
 *
 * @param worker its id
 * @param steps that it took part in
 * @param samples that it computed
 * @param stepNs time of those steps
 * @param computeNs forward, backward and update
 * @param exchangeNs moving and summing buckets that backward did not hide
 * @param waitingNs for the other workers
 * @param dataNs for its next batch
 * @param sentBytes to peers
 * @param peakResidentBytes most memory of its process in RAM
 */
public record WorkerTotals(
        int worker,
        long steps,
        long samples,
        long stepNs,
        long computeNs,
        long exchangeNs,
        long waitingNs,
        long dataNs,
        long sentBytes,
        long peakResidentBytes) {
    /** Nothing yet. */
    static WorkerTotals none(int worker) {
        return new WorkerTotals(worker, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** With one more step of {@code ns} nanoseconds. */
    WorkerTotals plus(WorkerTimes step, long ns) {
        return new WorkerTotals(
                worker,
                steps + 1,
                samples + step.samples(),
                stepNs + ns,
                computeNs + step.computeNs(),
                exchangeNs + step.exchangeNs(),
                waitingNs + step.waitingNs(),
                dataNs + step.dataNs(),
                sentBytes + step.sentBytes(),
                Math.max(peakResidentBytes, step.residentBytes()));
    }

    /** What no phase claimed. */
    public long otherNs() {
        return Math.max(0, stepNs - computeNs - exchangeNs - waitingNs - dataNs);
    }
}
