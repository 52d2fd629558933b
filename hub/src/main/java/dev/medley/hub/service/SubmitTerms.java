package dev.medley.hub.service;

import org.jspecify.annotations.Nullable;

/**
 * Holds what a user wants beside the job itself.
 *
 * @param group for shares and quotas; empty without one
 * @param priority higher goes first; 0 unless said
 * @param deadlineEpochS null without one
 * @param budget in the fleet's currency; null without one
 */
public record SubmitTerms(
        String group, int priority, @Nullable Double deadlineEpochS, @Nullable Double budget) {
    /** Nothing said. */
    public static final SubmitTerms NONE = new SubmitTerms("", 0, null, null);
}
