package dev.medley.profile.cluster;

import dev.medley.base.MeasuredRoute;

/**
 * The route that the sums of a group follow by its members' measurements, where that is not the
 * usual order. All members report the same.
 *
 * @param epoch of the group
 * @param route for the plan of the group, as it is recorded
 */
public record RouteReport(int epoch, MeasuredRoute route) {
    /** As what a member notes it. */
    public static final String KIND = "route";
}
