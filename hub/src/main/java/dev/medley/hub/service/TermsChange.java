package dev.medley.hub.service;

import org.jspecify.annotations.Nullable;

/**
 * Holds what a user wants to be otherwise about a job. What is null stays.
 *
 * @param priority higher goes first
 * @param deadlineEpochS by when it should be done
 * @param budget in all, in the fleet's currency
 */
public record TermsChange(
        @Nullable Integer priority,
        @Nullable Double deadlineEpochS,
        @Nullable Double budget,
        @Nullable Integer minMachines,
        @Nullable Integer maxMachines) {
    /** Nothing changes. */
    public static final TermsChange NONE = new TermsChange(null, null, null, null, null);
}
