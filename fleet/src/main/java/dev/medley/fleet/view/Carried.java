package dev.medley.fleet.view;

import java.util.List;

/**
 * Marks what a policy wants to know again the next time it is asked. It is a value; who asks gives
 * it back as it was, and may lose it: then the policy begins anew.
 */
public interface Carried {
    /** Nothing, as at the beginning. */
    Carried NONE = new Carried() {};

    /**
     * The same where others got machines than the policy said, as where a job keeps what it was
     * just given.
     *
     * @param view that the policy was asked about
     * @param grants who gets what until the next decision
     */
    default Carried granted(FleetView view, List<Grant> grants) {
        return this;
    }
}
