package dev.medley.fleet.hub;

import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import org.jspecify.annotations.Nullable;

/**
 * Says why a job would wait even if nobody else were there, whatever the policy.
 *
 * @param why it waits
 * @param takes what would let it run
 */
public record HubObstacle(String why, String takes) {
    /**
     * The first that stands in a job's way.
     *
     * @param shares what groups were promised; null where nothing was
     */
    static @Nullable HubObstacle of(FleetView view, JobView job, @Nullable ShareOptions shares) {
        int wanted = job.demand().minWorkers();
        int all = view.machines();
        if (all < wanted) {
            return new HubObstacle(
                    "it needs %d machine%s, and %d are here".formatted(wanted, s(wanted), all),
                    "%d more machine%s".formatted(wanted - all, s(wanted - all)));
        }
        if (job.bestRate() <= 0) {
            return new HubObstacle(
                    "a worker of it, or of the last job of its kind, takes more memory than any"
                            + " machine that is here has",
                    "machines with more memory");
        }
        int most = most(view, job, false);
        if (most < wanted) {
            return new HubObstacle(
                    "it needs %d machine%s of one type that it fits on, and there are %d at most"
                            .formatted(wanted, s(wanted), most),
                    "%d more machine%s of one type, or medley change %d --min %d"
                            .formatted(
                                    wanted - most, s(wanted - most), job.id(), Math.max(1, most)));
        }
        boolean isBound = Double.isFinite(job.terms().budget());
        if (isBound && most(view, job, true) < wanted) {
            return new HubObstacle(
                    "it has a budget, and too few machines that it could use have a price",
                    "a price of machines (medley agent --price), or medley change %d --no-budget"
                            .formatted(job.id()));
        }
        return overQuota(job, shares);
    }

    private static @Nullable HubObstacle overQuota(JobView job, @Nullable ShareOptions shares) {
        String group = job.terms().group();
        int quota = shares == null ? Integer.MAX_VALUE : shares.of(group).quotaMachines();
        int wanted = job.demand().minWorkers();
        return quota >= wanted
                ? null
                : new HubObstacle(
                        "it needs %d machine%s, and group %s may hold %d"
                                .formatted(wanted, s(wanted), group, quota),
                        "a quota of %d for its group".formatted(wanted));
    }

    /** The most machines of one type that the job fits on. */
    private static int most(FleetView view, JobView job, boolean isPriced) {
        int most = 0;
        for (int type = 0; type < job.rates().length; type++) {
            boolean isPriceKnown = !Double.isNaN(view.types().get(type).pricePerHour());
            if (job.rates()[type] > 0 && (isPriceKnown || !isPriced)) {
                most = Math.max(most, view.types().get(type).machines());
            }
        }
        return most;
    }

    private static String s(int count) {
        return count == 1 ? "" : "s";
    }
}
