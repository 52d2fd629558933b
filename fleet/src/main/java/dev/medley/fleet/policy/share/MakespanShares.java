package dev.medley.fleet.policy.share;

import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets all jobs end as early as the last one can: the smallest of rates over remaining work is made
 * as great as it can be (Gavel, section 4.2, minimum makespan).
 */
record MakespanShares() implements ShareRule {
    @Override
    public String name() {
        return "makespan";
    }

    @Override
    public Shares shares(FleetView view, Shares before) {
        List<JobView> jobs = view.jobs();
        ShareProgramme.Row[] rows = new ShareProgramme.Row[jobs.size()];
        double longestS = 0;
        for (JobView job : jobs) {
            longestS = Math.max(longestS, job.progress().remainingWork() / job.bestRate());
        }
        for (int i = 0; i < rows.length; i++) {
            JobView job = jobs.get(i);
            double[] gain = new double[view.types().size()];
            for (int type = 0; type < gain.length; type++) {
                gain[type] = job.rates()[type] / job.progress().remainingWork() * longestS;
            }
            rows[i] =
                    new ShareProgramme.Row(
                            gain, job.demand().minWorkers(), ShareProgramme.Need.SAME);
        }
        double[][] x = ShareProgramme.solve(view.types(), rows);
        Map<Long, double[]> shares = new HashMap<>();
        for (int i = 0; i < rows.length; i++) {
            shares.put(jobs.get(i).id(), x[i]);
        }
        return new Shares(shares);
    }
}
