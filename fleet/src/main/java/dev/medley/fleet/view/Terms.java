package dev.medley.fleet.view;

import dev.medley.base.ConfigException;

/**
 * Holds what a job's owner was promised, and pays.
 *
 * @param user whose job it is; fair shares are counted by user within group
 * @param priority higher goes first, before any policy's own order; 0 unless said
 * @param weight of its share beside others of its priority; 1 unless said
 * @param deadlineS on the fleet's clock; infinite without one
 * @param budget still to spend, in the fleet's currency; infinite without one
 */
public record Terms(
        String user, String group, int priority, double weight, double deadlineS, double budget) {
    public static final Terms NONE =
            new Terms("", "", 0, 1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    public Terms {
        ConfigException.check(
                weight > 0 && weight < Double.POSITIVE_INFINITY,
                "a job has weight %s; give a number above 0",
                weight);
    }
}
