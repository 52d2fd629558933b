package dev.medley.hub.service;

import java.util.List;

/**
 * Explains where a job stands.
 *
 * @param sentence the last decision about it
 * @param needs what it would take to run, or to run faster; may be empty
 * @param decisions about it with their times, newest first
 */
public record JobReason(
        long id, int queuePosition, String sentence, List<String> needs, List<Said> decisions) {
    /** Holds one decision about a job. */
    public record Said(double epochS, String sentence) {}

    public JobReason {
        needs = List.copyOf(needs);
        decisions = List.copyOf(decisions);
    }
}
