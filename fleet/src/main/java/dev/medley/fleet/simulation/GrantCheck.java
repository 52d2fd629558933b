package dev.medley.fleet.simulation;

import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks that a policy gives what there is, to jobs that can use it: else it has a bug. */
public final class GrantCheck {
    private GrantCheck() {}

    /**
     * Checks a decision's grants.
     *
     * @throws IllegalStateException naming the policy and what is wrong
     */
    public static void require(
            String policy, List<MachineType> types, List<JobView> jobs, List<Grant> grants) {
        Map<Long, JobView> byId = new HashMap<>();
        jobs.forEach(job -> byId.put(job.id(), job));
        int[] given = new int[types.size()];
        for (Grant grant : grants) {
            JobView job = byId.remove(grant.job());
            if (job == null) {
                throw bug(policy, "gives job %d twice, or it is not there", grant.job());
            }
            int count = 0;
            for (int type = 0; type < given.length; type++) {
                int machines = grant.machines()[type];
                given[type] += machines;
                count += machines;
                if (machines < 0 || machines > 0 && job.rates()[type] <= 0) {
                    throw bug(
                            policy,
                            "gives job %d %d of %s",
                            grant.job(),
                            machines,
                            types.get(type).name());
                }
            }
            if (count < job.demand().minWorkers() || count > job.demand().maxWorkers()) {
                throw bug(
                        policy,
                        "gives job %d %d machines for %s",
                        grant.job(),
                        count,
                        job.demand());
            }
        }
        for (int type = 0; type < given.length; type++) {
            if (given[type] > types.get(type).machines()) {
                throw bug(policy, "gives %d of %s", given[type], types.get(type));
            }
        }
    }

    private static IllegalStateException bug(String policy, String format, Object... values) {
        return new IllegalStateException("the policy " + policy + " " + format.formatted(values));
    }
}
