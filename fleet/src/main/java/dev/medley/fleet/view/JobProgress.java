package dev.medley.fleet.view;

/**
 * Holds how far a job is. Work is counted in the job's own unit: steps or samples.
 *
 * @param arrivalS when it was submitted, in seconds on the fleet's clock
 * @param serviceS seconds in which it held machines, so far
 * @param doneWork applied so far
 * @param remainingWork still to do; NaN where its size was not declared
 * @param restartS seconds that the job loses when its machines change, as measured; 0 if unknown
 */
public record JobProgress(
        double arrivalS, double serviceS, double doneWork, double remainingWork, double restartS) {
    /** Whether its size was declared. */
    public boolean sized() {
        return !Double.isNaN(remainingWork);
    }
}
