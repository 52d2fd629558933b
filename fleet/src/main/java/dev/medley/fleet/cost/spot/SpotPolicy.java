package dev.medley.fleet.cost.spot;

/**
 * Decides where a job is during the next step. A pure function of what is shown; {@link SafetyNet}
 * has the last word where a deadline must be kept.
 */
public interface SpotPolicy {
    /** The word by which users choose it. */
    String name();

    /** Where the job should be until the next step. A spot machine only where one is up. */
    SpotChoice choose(SpotState state);
}
