package dev.medley.fleet.state;

/**
 * Holds whose a job is, and what was agreed.
 *
 * @param priority higher goes first
 * @param deadlineS on the hub's clock; infinite without one
 * @param budget in the fleet's currency; infinite without one
 */
public record JobOwner(String user, String group, int priority, double deadlineS, double budget) {
    /** Nobody's in particular. */
    public static JobOwner of(String user) {
        return new JobOwner(user, "", 0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
}
