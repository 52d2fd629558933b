package dev.medley.fleet.elastic;

import dev.medley.fleet.policy.elastic.SmartFill;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares a cluster by {@link SmartFill}'s prices on predicted speeds of learning. A job of which
 * nothing is known gets a few workers first, to be measured. Counts are 1, 2 and whole nodes, which
 * nodes of four hold without a gap.
 *
 * <p>A change of workers is valued at what is left of the speed after a restart that is paid back
 * within the job's remaining time, or within a horizon, as changes come again.
 *
 * @param options what it assumes
 */
record ElasticShares(SharesOptions options) implements SharesPolicy {
    /** Holds a job, its predicted speeds by workers, and its remaining work. */
    private record Claim(ElasticJob job, double[] speeds, double work) {
        /** Remaining seconds on one worker, by which jobs are ordered. */
        double aloneS() {
            return work / speeds[1];
        }

        /** What each count of workers is worth at a price of the job's work. */
        double[] values(double price, double horizonS) {
            double[] values = new double[speeds.length];
            for (int k = 1; k < values.length; k++) {
                if (speeds[k] > 0) {
                    double paidBackS = Math.min(horizonS, work / speeds[k]);
                    double restartS = k == job.workers() ? 0 : ElasticJob.RESTART_S;
                    values[k] = price * speeds[k] / (1 + restartS / paidBackS);
                }
            }
            return values;
        }
    }

    @Override
    public Map<Integer, int[]> decide(View view) {
        Map<ElasticJob, Integer> counts = new LinkedHashMap<>();
        List<ElasticJob> known = new ArrayList<>();
        int gpus = view.gpus();
        for (ElasticJob job : view.jobs()) {
            counts.put(job, 0);
            if (job.agent().isKnown()) {
                known.add(job);
            } else if (gpus > 0) {
                int first = firstWorkers(job, view, gpus);
                counts.put(job, first);
                gpus -= first;
            }
        }
        List<Claim> claims = new ArrayList<>();
        for (ElasticJob job : known) {
            claims.add(new Claim(job, speeds(job, view, gpus), job.remainingWork()));
        }
        if (gpus > 0) {
            split(claims, gpus, counts);
        }
        return new NodePacking(view, counts).place();
    }

    /** Never more than its part of the cluster, and what it has while it was not measured yet. */
    private int firstWorkers(ElasticJob job, View view, int gpus) {
        int part = Math.max(1, view.gpus() / view.jobs().size());
        int first = Math.min(options.firstWorkers(), job.agent().maxWorkers());
        return job.workers() > 0 && job.workers() <= gpus
                ? job.workers()
                : Math.min(first, Math.min(part, gpus));
    }

    /** Prices follow from the order in which jobs end: those with least left first. */
    private void split(List<Claim> claims, int gpus, Map<ElasticJob, Integer> counts) {
        claims.sort(
                Comparator.comparingDouble((Claim claim) -> -claim.aloneS())
                        .thenComparingInt(claim -> -claim.job.index()));
        double[] prices = SmartFill.prices(claims.stream().map(Claim::speeds).toList(), gpus);
        List<double[]> values = new ArrayList<>();
        for (int i = 0; i < prices.length; i++) {
            values.add(claims.get(i).values(prices[i], options.horizonS()));
        }
        int[] shares = SmartFill.split(values, gpus);
        for (int i = 0; i < shares.length; i++) {
            counts.put(claims.get(i).job, shares[i]);
        }
    }

    private static double[] speeds(ElasticJob job, View view, int gpus) {
        double[] speeds = new double[gpus + 1];
        int most = Math.min(gpus, job.agent().maxWorkers());
        for (int k = 1; k <= most; k++) {
            if (k <= 2 || k % view.gpusPerNode() == 0) {
                speeds[k] = job.agent().rate(k, view.gpusPerNode());
            }
        }
        return speeds;
    }
}
