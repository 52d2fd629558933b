package dev.medley.fleet.simulation;

/**
 * Holds how many jobs were in the system from a moment on.
 *
 * @param running those of them that held machines
 * @param busy machines that they held
 */
public record QueueSample(double atS, int jobs, int running, int busy) {
    /** Those that held nothing. */
    public int waiting() {
        return jobs - running;
    }
}
