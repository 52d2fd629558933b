package dev.medley.profile.cluster;

import dev.medley.base.MeasuredRoute;

/**
 * What the sums of a group follow of what its members measured, where that is not the usual order.
 * All members say the same.
 *
 * @param epoch of the group
 * @param route for the plan of the group, as it is recorded
 */
public record RouteReport(int epoch, MeasuredRoute route) {
    /** As what a member notes it. */
    public static final String KIND = "route";
}
