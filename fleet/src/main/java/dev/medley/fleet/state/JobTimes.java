package dev.medley.fleet.state;

/**
 * Holds when things happened to a job, in seconds on the hub's clock, and what it cost.
 *
 * @param startedS first; NaN before
 * @param endedS NaN before
 * @param servedS seconds in which it held machines
 * @param cost so far
 */
public record JobTimes(
        double submittedS, double startedS, double endedS, double servedS, double cost) {
    /** Just submitted. */
    public static JobTimes submitted(double nowS) {
        return new JobTimes(nowS, Double.NaN, Double.NaN, 0, 0);
    }

    /** It has its first machines. */
    public JobTimes started(double nowS) {
        return Double.isNaN(startedS)
                ? new JobTimes(submittedS, nowS, endedS, servedS, cost)
                : this;
    }

    /** It is over. */
    public JobTimes ended(double nowS) {
        return new JobTimes(submittedS, startedS, nowS, servedS, cost);
    }

    /** It held machines for a while. */
    public JobTimes served(double seconds, double price) {
        return new JobTimes(submittedS, startedS, endedS, servedS + seconds, cost + price);
    }
}
