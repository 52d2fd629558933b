package dev.medley.fleet.learning.episode;

import dev.medley.fleet.policy.Policy;

/** Plays one workload on one fleet, the same arrivals for each policy. */
@FunctionalInterface
public interface Episode {
    /** Plays it from the first arrival to the last end. */
    void play(Policy policy);
}
