package dev.medley.fleet.policy.share;

import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the smallest of all jobs' rates as great as it can be: least attained service. Each counts
 * in units of what it would have with an equal share of all machines. Aware of machine types it
 * counts work (Gavel, section 4.1), else time alone.
 */
record MaxMinShares(boolean isAware) implements ShareRule {
    @Override
    public String name() {
        return isAware ? "las_aware" : "las";
    }

    @Override
    public Shares shares(FleetView view, Shares before) {
        int types = view.types().size();
        double machines = Math.max(1, view.machines());
        List<JobView> jobs = view.jobs();
        ShareProgramme.Row[] rows = new ShareProgramme.Row[jobs.size()];
        for (int i = 0; i < rows.length; i++) {
            JobView job = jobs.get(i);
            double proportional = 0;
            double[] gain = new double[types];
            for (int type = 0; type < types; type++) {
                double rate = isAware ? job.rates()[type] : 1;
                proportional += rate * view.types().get(type).machines() / machines;
                gain[type] = rate * job.demand().minWorkers() / job.terms().weight();
            }
            for (int type = 0; type < types; type++) {
                gain[type] /= proportional;
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
