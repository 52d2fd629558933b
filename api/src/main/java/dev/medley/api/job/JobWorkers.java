package dev.medley.api.job;

import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import org.jspecify.annotations.Nullable;

/** Gives a job other workers: another number, machines that join, threads for each. */
public final class JobWorkers {
    private JobWorkers() {}

    /**
     * The same job on another number of workers, which is planned anew and gives the same result
     * but for rounding. Threads that were a fair share of the cores are shared out anew.
     */
    public static JobSpec onWorkers(JobSpec job, int workers) {
        ClusterSpec c = job.cluster();
        int threads = c.threads() == fairThreads(c.workers()) ? 0 : c.threads();
        return job.with(c.with(workers, threads));
    }

    /**
     * The same job with as many workers on machines that join, each with all of its cores unless
     * the job says how many threads; on processes of this machine where {@code join} is null.
     */
    public static JobSpec joining(JobSpec job, @Nullable JoinSpec join) {
        JobSpec open = onWorkers(job, job.cluster().workers());
        return open.with(open.cluster().joining(join));
    }

    /** Cores are shared out among the workers unless the job says how many threads each has. */
    public static JobSpec withThreads(JobSpec job) {
        ClusterSpec c = job.cluster();
        if (c.threads() > 0 || c.join() != null) {
            return job; // A machine that joins knows its cores.
        }
        return job.with(c.with(c.workers(), fairThreads(c.workers())));
    }

    private static int fairThreads(int workers) {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / workers);
    }
}
