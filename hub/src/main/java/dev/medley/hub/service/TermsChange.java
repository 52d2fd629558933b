package dev.medley.hub.service;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a user wants to be otherwise about a job. What is null stays.
 *
 * @param priority higher goes first
 * @param deadlineEpochS by when it should be done
 * @param budget in all, in the fleet's currency
 * @param lifted what it has no more: {@code deadline}, {@code budget}
 */
public record TermsChange(
        @Nullable Integer priority,
        @Nullable Double deadlineEpochS,
        @Nullable Double budget,
        @Nullable Integer minMachines,
        @Nullable Integer maxMachines,
        @Nullable List<String> lifted) {
    /** The deadline, in {@link #lifted}. */
    public static final String DEADLINE = "deadline";

    /** The budget, in {@link #lifted}. */
    public static final String BUDGET = "budget";

    /** Nothing changes. */
    public static final TermsChange NONE = new TermsChange(null, null, null, null, null, null);

    /** Whether the job has no such term any more. */
    public boolean lifts(String term) {
        return lifted != null && lifted.contains(term);
    }
}
