package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Plan;

/** Decides how a group trains. Implementations are pure but for the version that they are given. */
public interface PlanSource {
    /**
     * A plan for a group.
     *
     * @param group who takes part
     * @param version of the new plan
     * @param committedStep last step applied before it
     */
    Plan plan(Group group, int version, long committedStep);

    /**
     * The last step that a group formed after {@code committedStep} may take; unlimited unless
     * plans are repeated.
     */
    default long lastStep(long committedStep) {
        return Long.MAX_VALUE;
    }

    /** How many of the ready workers take part; all unless plans are repeated. */
    default int groupSize(long committedStep, int ready) {
        return ready;
    }
}
