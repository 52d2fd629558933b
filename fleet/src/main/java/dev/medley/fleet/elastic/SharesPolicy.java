package dev.medley.fleet.elastic;

import java.util.List;
import java.util.Map;

/** Decides which workers an elastic job has until it is asked again, and on which nodes. */
public interface SharesPolicy {
    /**
     * Shows the cluster to a policy.
     *
     * @param nowS on the cluster's clock
     * @param nodes each of {@code gpusPerNode}
     * @param jobs that came and did not end, in order of arrival
     */
    record View(double nowS, int nodes, int gpusPerNode, List<ElasticJob> jobs) {
        /** All GPUs. */
        public int gpus() {
            return nodes * gpusPerNode;
        }
    }

    /**
     * The node of each worker, by the job's index; who is not in it waits. Never more workers on a
     * node than it has GPUs.
     */
    Map<Integer, int[]> decide(View view);
}
