package dev.medley.fleet.policy.share;

import dev.medley.base.Seeds;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Gives machines in the order of arrival: each job those of the type on which it is fastest among
 * the free ones, anew each time; or of any type, drawn, which it keeps to its end.
 */
record FifoShares(boolean fastest) implements ShareRule {
    @Override
    public String name() {
        return fastest ? "fifo_fastest" : "fifo";
    }

    @Override
    public boolean isAware() {
        return fastest;
    }

    @Override
    public boolean isStrict() {
        return true;
    }

    @Override
    public Shares shares(FleetView view, Shares before) {
        int types = view.types().size();
        int[] free = new int[types];
        for (int type = 0; type < types; type++) {
            free[type] = view.types().get(type).machines();
        }
        Map<Long, double[]> shares = new HashMap<>();
        for (JobView job : view.jobs()) {
            double[] own = before.byJob().get(job.id());
            if (!fastest && own != null && given(own) >= 0) {
                shares.put(job.id(), own);
                free[given(own)] -= job.demand().minWorkers();
            }
        }
        boolean isOpen = true;
        for (JobView job : view.jobs()) {
            if (!shares.containsKey(job.id())) {
                double[] own = new double[types];
                int type = isOpen ? choose(job, free) : -1;
                // Nobody overtakes one that does not fit now; one that never could stops nobody.
                isOpen &= type >= 0 || !couldFit(view, job);
                if (type >= 0) {
                    own[type] = 1;
                    free[type] -= job.demand().minWorkers();
                }
                shares.put(job.id(), own);
            }
        }
        return new Shares(shares);
    }

    private static boolean couldFit(FleetView view, JobView job) {
        for (int type = 0; type < job.rates().length; type++) {
            int machines = view.types().get(type).machines();
            if (job.rates()[type] > 0 && machines >= job.demand().minWorkers()) {
                return true;
            }
        }
        return false;
    }

    private static int given(double[] shares) {
        for (int type = 0; type < shares.length; type++) {
            if (shares[type] == 1) {
                return type;
            }
        }
        return -1;
    }

    private int choose(JobView job, int[] free) {
        RandomGenerator random = Seeds.generator(7, job.id());
        int chosen = -1;
        int seen = 0;
        for (int type = 0; type < free.length; type++) {
            if (free[type] >= job.demand().minWorkers() && job.rates()[type] > 0) {
                seen++;
                boolean isBetter =
                        fastest
                                ? chosen < 0 || job.rates()[type] > job.rates()[chosen]
                                : random.nextInt(seen) == 0;
                chosen = isBetter ? type : chosen;
            }
        }
        return chosen;
    }
}
