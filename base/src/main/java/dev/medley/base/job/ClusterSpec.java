package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The processes that compute a run, and the limits on their silence and their waits.
 *
 * @param workers processes on this machine; where machines join, how many to begin with, each with
 *     one worker
 * @param threads of each worker; 0 to share the machine's cores among the workers
 * @param javaOptions added to each worker's command line
 * @param classPath jars and folders with the user's classes
 * @param heartbeatNs between two signs of life of a worker
 * @param peerTimeoutNs silence after which a worker counts as lost
 * @param stepTimeoutNs longest wait for the others within a step
 * @param restarts how often a lost worker is started again, over the whole run
 * @param join where machines join; null for processes of this machine
 */
public record ClusterSpec(
        int workers,
        int threads,
        List<String> javaOptions,
        List<String> classPath,
        long heartbeatNs,
        long peerTimeoutNs,
        long stepTimeoutNs,
        int restarts,
        @Nullable JoinSpec join) {
    /**
     * So many peer timeouts a coordinator may be silent while its connection stands: it may have
     * been stopped, and no step needs it. Whoever hears nothing for longer leaves.
     */
    public static final int COORDINATOR_PATIENCE = 6;

    /** What of a JVM's options would take Medley's own classes from a worker. */
    private static final Set<String> OF_CLASSES = Set.of("-cp", "-classpath", "--class-path");

    public ClusterSpec {
        javaOptions = List.copyOf(javaOptions);
        classPath = List.copyOf(classPath);
        check(
                javaOptions.stream().noneMatch(o -> OF_CLASSES.contains(o.replaceAll("=.*", ""))),
                "cluster.java_options=%s: name jars and folders in cluster.class_path, beside which"
                        + " Medley's own are",
                javaOptions);
        check(workers >= 1, "cluster.workers=%d: at least 1", workers);
        check(
                threads >= 0,
                "cluster.threads=%d: 0 for a fair share of the cores, or above",
                threads);
        check(
                heartbeatNs > 0 && peerTimeoutNs >= 3 * heartbeatNs,
                "cluster: peer_timeout=%d ns, heartbeat=%d ns: allow three heartbeats at least",
                peerTimeoutNs,
                heartbeatNs);
        check(
                stepTimeoutNs >= peerTimeoutNs,
                "cluster: step_timeout=%d ns < peer_timeout=%d ns: a step outlasts a silence",
                stepTimeoutNs,
                peerTimeoutNs);
        check(restarts >= 0, "cluster.restarts=%d: 0 or more", restarts);
    }

    /** The same patience, classes and JVMs for {@code workers} processes of {@code threads}. */
    public ClusterSpec with(int workers, int threads) {
        return new ClusterSpec(
                workers,
                threads,
                javaOptions,
                classPath,
                heartbeatNs,
                peerTimeoutNs,
                stepTimeoutNs,
                restarts,
                join);
    }

    /** The same as processes of this machine, wherever machines may join. */
    public ClusterSpec ofThisMachine(int workers, int threads) {
        return with(workers, threads).joining(null);
    }

    /** The same where machines join; null for processes of this machine. */
    public ClusterSpec joining(@Nullable JoinSpec changed) {
        return new ClusterSpec(
                workers,
                threads,
                javaOptions,
                classPath,
                heartbeatNs,
                peerTimeoutNs,
                stepTimeoutNs,
                restarts,
                changed);
    }

    /** The same with the user's classes at other paths. */
    public ClusterSpec withClassPath(List<String> paths) {
        return new ClusterSpec(
                workers,
                threads,
                javaOptions,
                paths,
                heartbeatNs,
                peerTimeoutNs,
                stepTimeoutNs,
                restarts,
                join);
    }

    /** {@code workers} processes with the usual patience: silence 10 s, step 120 s, 3 restarts. */
    public static ClusterSpec ofWorkers(int workers) {
        return new ClusterSpec(
                workers,
                0,
                List.of(),
                List.of(),
                500_000_000L,
                10_000_000_000L,
                120_000_000_000L,
                3,
                null);
    }
}
