package dev.medley.fleet.state;

/**
 * Holds what is known of a job's data where they lie, at the hub.
 *
 * @param bytes that a machine has to be brought before it trains; 0 where that is not known
 */
public record JobData(long bytes) {
    /** Nothing is known. */
    public static final JobData UNKNOWN = new JobData(0);
}
