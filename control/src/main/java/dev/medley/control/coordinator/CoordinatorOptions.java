package dev.medley.control.coordinator;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JoinSpec;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a coordinator: its run, its cluster and its time limits.
 *
 * @param cluster how many workers, and how patient to be
 * @param run its name, as a message has it: {@code run adult-1}
 * @param work the name of what its workers work at
 * @param job of the run; workers of another are refused
 * @param version the build of Medley; workers of another are refused
 * @param patience with workers and machines that are about to join
 * @param begin whether the first group waits for workers that take much longer to be ready
 */
public record CoordinatorOptions(
        ClusterSpec cluster,
        String run,
        String work,
        JobIdentity job,
        String version,
        Patience patience,
        JoinSpec.Begin begin) {

    /**
     * Longest times.
     *
     * @param fetchNs from the word to start a worker to the beginning of its process, where its
     *     machine may have files to fetch first, and shows signs of life meanwhile
     * @param helloNs from the beginning of a worker's process to its hello
     * @param readyNs from a worker's hello, or the last progress that it tells of, until it is
     *     ready: data and model may be large, and the disk slow
     * @param joinNs in which there are not enough machines
     */
    public record Patience(long fetchNs, long helloNs, long readyNs, long joinNs) {
        private static final long FETCH_NS = TimeUnit.HOURS.toNanos(6);
        private static final long HELLO_NS = TimeUnit.SECONDS.toNanos(120);
        private static final long READY_NS = TimeUnit.HOURS.toNanos(2);

        /** As long as large files, slow links and slow disks need. */
        public static Patience usual(long joinNs) {
            return new Patience(FETCH_NS, HELLO_NS, READY_NS, joinNs);
        }
    }
}
