package dev.medley.fleet.state;

import java.util.Objects;

/**
 * Holds the process that trains a job.
 *
 * @param attempt from 1, how often a process was started for it; 0 before the first
 * @param pid of the process; 0 while none runs
 * @param startedMillis when the system started it: numbers are used again
 * @param address host and port where machines join it
 * @param folder of its run; empty before it is known
 * @param breaks how many of its processes broke off since it last came further; an older journal
 *     says nothing
 * @param furthest samples that were applied when one broke off, at most; an older journal says
 *     nothing
 */
public record JobAttempt(
        int attempt,
        long pid,
        long startedMillis,
        String address,
        String folder,
        Integer breaks,
        Double furthest) {
    public JobAttempt {
        breaks = Objects.requireNonNullElse(breaks, 0);
        furthest = Objects.requireNonNullElse(furthest, 0.0);
    }

    /** Not started yet. */
    public static final JobAttempt NONE = new JobAttempt(0, 0, 0, "", "", 0, 0.0);

    /** Whether a process was started and has not been seen to end. */
    public boolean isStarted() {
        return !address.isEmpty();
    }

    /** The next attempt, at an address. */
    public JobAttempt next(String at) {
        return new JobAttempt(attempt + 1, 0, 0, at, folder, breaks, furthest);
    }

    /** The same with its process. */
    public JobAttempt withProcess(long number, long millis) {
        return new JobAttempt(attempt, number, millis, address, folder, breaks, furthest);
    }

    /** The same with its run's folder. */
    public JobAttempt withFolder(String known) {
        return new JobAttempt(attempt, pid, startedMillis, address, known, breaks, furthest);
    }

    /** Its process is over. */
    public JobAttempt ended() {
        return new JobAttempt(attempt, 0, 0, "", folder, breaks, furthest);
    }

    /** Its process broke off: how many do not count as past, and how far it came at most. */
    public JobAttempt broken(int times, double samples) {
        return new JobAttempt(attempt, 0, 0, "", folder, times, samples);
    }
}
