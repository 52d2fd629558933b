package dev.medley.hub.service;

import java.util.List;

/**
 * Explains where a job stands.
 *
 * @param sentence the last decision about it
 * @param needs what it would take to run; may be empty
 * @param forecasts of its end, deadline and cost, as sentences; may be empty
 * @param decisions about it with their times, newest first
 */
public record JobReason(
        long id,
        int queuePosition,
        String sentence,
        List<String> needs,
        List<String> forecasts,
        List<Said> decisions) {
    /** Holds one decision about a job. */
    public record Said(double epochS, String sentence) {}

    public JobReason {
        needs = List.copyOf(needs);
        // A hub of an older build says none.
        forecasts = forecasts == null ? List.of() : List.copyOf(forecasts);
        decisions = List.copyOf(decisions);
    }
}
