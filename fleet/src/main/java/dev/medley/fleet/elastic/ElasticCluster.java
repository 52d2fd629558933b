package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.WorkloadJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Plays a workload on a cluster of like nodes: every interval the jobs advance, then a policy is
 * asked, and jobs whose workers changed restart.
 *
 * <p>Thread: one.
 */
public final class ElasticCluster {
    /** Nodes, GPUs of each and seconds between decisions. */
    public record Size(int nodes, int gpusPerNode, double intervalS) {
        /** Pollux's: 16 nodes of four T4, asked every minute. */
        public static final Size POLLUX = new Size(16, 4, 60);
    }

    private final Size size;
    private final SharesPolicy policy;
    private final List<ElasticJob> jobs = new ArrayList<>();
    private double nowS;

    /** All jobs of a workload, each with its agent. */
    ElasticCluster(
            Size size,
            List<WorkloadJob> workload,
            SharesPolicy policy,
            Function<WorkloadJob, JobAgent> agents) {
        this.size = size;
        this.policy = policy;
        for (WorkloadJob job : workload) {
            jobs.add(new ElasticJob(jobs.size(), job, agents.apply(job)));
        }
    }

    /** Plays a workload whose jobs keep the batch that their owners asked for. */
    public static List<ElasticJob> playFixed(
            Size size, List<WorkloadJob> workload, SharesPolicy policy) {
        return new ElasticCluster(
                        size,
                        workload,
                        policy,
                        job -> new FixedAgent(job.batch(), job.workers(), job.model().batches()))
                .play();
    }

    /**
     * Plays a workload whose jobs take the workers and batches that suit all best.
     *
     * @param knowledge of speeds; all know the epochs that are declared
     */
    public static List<ElasticJob> playElastic(
            Size size, List<WorkloadJob> workload, Knowledge knowledge, SharesOptions options) {
        Map<String, Learnt> kinds = new HashMap<>();
        return new ElasticCluster(
                        size,
                        workload,
                        new ElasticShares(options),
                        job ->
                                new LearningAgent(
                                        job.model(),
                                        knowledge == Knowledge.OWN
                                                ? new Learnt()
                                                : kinds.computeIfAbsent(
                                                        job.model().name(), name -> new Learnt()),
                                        knowledge))
                .play();
    }

    /** Mean seconds from a job's arrival to its end. */
    public static double meanJctS(List<ElasticJob> jobs) {
        return jobs.stream()
                .mapToDouble(job -> job.endedS() - job.spec().arrivalS())
                .average()
                .orElse(Double.NaN);
    }

    /** Plays until all jobs ended; the jobs. */
    List<ElasticJob> play() {
        while (jobs.stream().anyMatch(ElasticJob::isOpen)) {
            jobs.stream().filter(ElasticJob::isOpen).forEach(j -> j.advance(size.intervalS()));
            nowS += size.intervalS();
            List<ElasticJob> present =
                    jobs.stream()
                            .filter(job -> job.isOpen() && job.spec().arrivalS() <= nowS)
                            .toList();
            if (!present.isEmpty()) {
                place(present);
            }
        }
        return jobs;
    }

    private void place(List<ElasticJob> present) {
        Map<Integer, int[]> shares =
                policy.decide(
                        new SharesPolicy.View(nowS, size.nodes(), size.gpusPerNode(), present));
        int[] used = new int[size.nodes()];
        for (ElasticJob job : present) {
            int[] nodes = shares.getOrDefault(job.index(), new int[0]);
            for (int node : nodes) {
                if (++used[node] > size.gpusPerNode()) {
                    throw new IllegalStateException(
                            "a policy gave node %s to more than %s workers at %s s"
                                    .formatted(node, size.gpusPerNode(), nowS));
                }
            }
            if (!Arrays.equals(nodes, job.nodeOfWorker())) {
                job.place(nodes);
            }
        }
    }
}
