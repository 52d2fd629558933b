package dev.medley.fleet.policy.share;

import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.FleetView;
import java.util.Map;

/** Says which share of the time each job should have on each machine type. A pure function. */
interface ShareRule {
    /** The word by which users choose it. */
    String name();

    /**
     * Shares of all jobs of the view.
     *
     * @param before what this rule answered last; {@link Shares#NONE} at the beginning
     */
    Shares shares(FleetView view, Shares before);

    /** Whether it looks at machine types: else rounds fill types in a drawn order. */
    default boolean isAware() {
        return true;
    }

    /** Whether a job without a share waits although machines are idle. */
    default boolean isStrict() {
        return false;
    }

    /**
     * Holds shares by job and type, from 0 to 1.
     *
     * @param more what the rule wants to know again
     */
    record Shares(Map<Long, double[]> byJob, Carried more) {
        static final Shares NONE = new Shares(Map.of(), Carried.NONE);

        Shares(Map<Long, double[]> byJob) {
            this(byJob, Carried.NONE);
        }
    }
}
