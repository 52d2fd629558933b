package dev.medley.plan.simulator.fabric;

import static dev.medley.base.ConfigException.check;

/**
 * The disturbances that keep a machine from being as fast in every step as it is in the mean.
 *
 * @param variation standard deviation of a step's time as a part of its mean; 0 for none
 * @param pauseEveryNs mean time between two pauses (garbage collection, a noisy neighbour); 0 for
 *     no pauses
 * @param pauseNs length of a pause
 * @param quota part of a core that the processes of this machine may use; 1 for no limit. Speeds
 *     are those under the quota
 * @param periodNs after which the quota is full again
 * @param lostEveryNs mean time until a spot machine is taken away; 0 for never
 * @param returnNs until another one stands in its place
 */
public record Disturbance(
        double variation,
        long pauseEveryNs,
        long pauseNs,
        double quota,
        long periodNs,
        long lostEveryNs,
        long returnNs) {
    /** As Linux takes it where nothing else is said. */
    public static final long USUAL_PERIOD_NS = 100_000_000;

    /** Every step takes what it takes in the mean. */
    public static final Disturbance NONE = new Disturbance(0, 0, 0, 1, USUAL_PERIOD_NS, 0, 0);

    public Disturbance {
        check(variation >= 0 && variation <= 1, "variation %s: from 0 to 1", variation);
        check(pauseEveryNs >= 0 && pauseNs >= 0, "a pause of %d ns: not below 0", pauseNs);
        check(quota > 0 && quota <= 1, "quota %s: above 0, at most 1 core", quota);
        check(periodNs > 0, "a quota's period of %d ns: above 0", periodNs);
        check(lostEveryNs >= 0 && returnNs >= 0, "lost every %d ns: not below 0", lostEveryNs);
    }

    /** The same with a quota. */
    public Disturbance withQuota(double part, long period) {
        return new Disturbance(
                variation, pauseEveryNs, pauseNs, part, period, lostEveryNs, returnNs);
    }

    /** The same with steps that vary. */
    public Disturbance varying(double deviation) {
        return new Disturbance(
                deviation, pauseEveryNs, pauseNs, quota, periodNs, lostEveryNs, returnNs);
    }

    /** The same on machines that are lost and return. */
    public Disturbance lost(long everyNs, long backNs) {
        return new Disturbance(variation, pauseEveryNs, pauseNs, quota, periodNs, everyNs, backNs);
    }

    /** Whether no two steps of a machine differ. */
    public boolean isCalm() {
        return variation == 0 && pauseEveryNs == 0 && quota == 1;
    }
}
