package dev.medley.fleet.policy;

import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;

/**
 * Decides which job gets which machines. A policy is a pure function: the same view gives the same
 * decision. What it has to know again, it carries in its decisions and finds in the next view.
 */
public interface Policy {
    /** The word by which users choose it. */
    String name();

    /**
     * Whether it puts higher priorities first by itself; else {@link
     * dev.medley.fleet.policy.quota.FairShare} asks it once for each priority.
     */
    default boolean ordersByPriority() {
        return false;
    }

    /**
     * Who gets what until it is asked again. Never more machines of a type than there are, never
     * fewer for a job than its minimum, and none where its rate is 0.
     */
    Decision decide(FleetView view);
}
