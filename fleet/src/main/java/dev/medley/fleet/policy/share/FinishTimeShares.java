package dev.medley.fleet.policy.share;

import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the greatest of all jobs' finish-time ratios as small as it can be: expected end over the
 * end that it would have had with its n-th part of the fleet from its arrival on (Mahajan et al.,
 * Themis, NSDI 2020; aware of machine types as in Gavel, section 4.2).
 */
record FinishTimeShares() implements ShareRule {
    @Override
    public String name() {
        return "finish_time_fairness";
    }

    /**
     * Holds what the ratio counts from a job's past.
     *
     * @param aloneS seconds that what it has done would have taken with its part
     */
    private record Past(Map<Long, double[]> jobs) implements Carried {}

    @Override
    public Shares shares(FleetView view, Shares before) {
        List<JobView> jobs = view.jobs();
        Past past = before.more() instanceof Past known ? known : new Past(Map.of());
        Map<Long, double[]> now = new HashMap<>();
        ShareProgramme.Row[] rows = new ShareProgramme.Row[jobs.size()];
        double level = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows.length; i++) {
            JobView job = jobs.get(i);
            double part = part(view, job);
            double left = job.progress().remainingWork();
            double[] known = past.jobs().get(job.id());
            double aloneS = known == null ? 0 : known[0] + (known[1] - left) / known[2];
            now.put(job.id(), new double[] {aloneS, left, part});
            double agedS = view.nowS() - job.progress().arrivalS();
            Ratio ratio = new Ratio(left, aloneS + left / part, agedS);
            rows[i] = new ShareProgramme.Row(job.rates(), job.demand().minWorkers(), ratio);
            double half = gain(view, jobs, job) * 0.4;
            level = Math.min(level, -(agedS + left / half) / ratio.endS());
        }
        double[][] x = ShareProgramme.solve(view.types(), rows, level);
        Map<Long, double[]> shares = new HashMap<>();
        for (int i = 0; i < rows.length; i++) {
            shares.put(jobs.get(i).id(), x[i]);
        }
        return new Shares(shares, new Past(now));
    }

    /** The rate of the n-th part of the fleet. */
    private static double part(FleetView view, JobView job) {
        int types = view.types().size();
        double jobs = view.jobs().size();
        double sum = 0;
        double rate = 0;
        for (int type = 0; type < types; type++) {
            double share = view.types().get(type).machines() / jobs / job.demand().minWorkers();
            sum += share;
            rate += share * job.rates()[type];
        }
        return rate / Math.max(1, sum);
    }

    /** The rate at the point where the programme begins. */
    private static double gain(FleetView view, List<JobView> jobs, JobView job) {
        double wanted = jobs.stream().mapToDouble(j -> j.demand().minWorkers()).sum();
        double rate = 0;
        for (int type = 0; type < view.types().size(); type++) {
            double capacity = Math.max(view.types().get(type).machines(), 1e-6);
            rate +=
                    job.rates()[type]
                            * 0.5
                            * Math.min(1.0 / view.types().size(), capacity / wanted);
        }
        return rate;
    }

    /**
     * What rate a job needs for a ratio, as a level: the ratio, negative.
     *
     * @param endS with its n-th part
     */
    private record Ratio(double work, double endS, double agedS) implements ShareProgramme.Need {
        private double leftS(double level) {
            return -level * endS - agedS;
        }

        @Override
        public double at(double level) {
            double left = leftS(level);
            return left > 0 ? work / left : Double.POSITIVE_INFINITY;
        }

        @Override
        public double slope(double level) {
            double left = leftS(level);
            return work * endS / (left * left);
        }

        @Override
        public double curvature(double level) {
            double left = leftS(level);
            return 2 * work * endS * endS / (left * left * left);
        }
    }
}
