package dev.medley.fleet.simulation;

/**
 * Tells how a job went.
 *
 * @param startS when it first ran
 * @param endS when it ended
 * @param serviceS seconds in which it held machines
 * @param moves how often it got other machines than it had, its first ones not counted
 */
public record SimulatedJob(
        long id,
        double arrivalS,
        double startS,
        double endS,
        double serviceS,
        double idealS,
        int moves) {
    /** From arrival to end. */
    public double completionS() {
        return endS - arrivalS;
    }

    /** Seconds in which it held nothing. */
    public double waitedS() {
        return completionS() - serviceS;
    }
}
