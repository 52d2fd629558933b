package dev.medley.fleet.policy.quota;

import dev.medley.base.ConfigException;

/**
 * Holds what a group may have.
 *
 * @param weight of its share beside other groups
 * @param quotaMachines that it holds at most at once
 */
public record GroupShare(double weight, int quotaMachines) {
    /** Of a group that nobody said anything about. */
    public static final GroupShare USUAL = new GroupShare(1, Integer.MAX_VALUE);

    public GroupShare {
        ConfigException.check(
                weight > 0 && weight < Double.POSITIVE_INFINITY,
                "a group has weight %s; give a number above 0",
                weight);
        ConfigException.check(
                quotaMachines >= 0, "a quota of %d machines; give 0 or more", quotaMachines);
    }
}
