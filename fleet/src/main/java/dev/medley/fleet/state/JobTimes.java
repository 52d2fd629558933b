package dev.medley.fleet.state;

import org.jspecify.annotations.Nullable;

/**
 * Holds when things happened to a job, in seconds on the hub's clock, and what it cost.
 *
 * @param startedS first; NaN before
 * @param endedS NaN before
 * @param servedS seconds in which it held machines, as far as they were counted
 * @param cost so far
 * @param countedToS until when they were, while it holds machines; null while it holds none
 */
public record JobTimes(
        double submittedS,
        double startedS,
        double endedS,
        double servedS,
        double cost,
        @Nullable Double countedToS) {
    /** Just submitted. */
    public static JobTimes submitted(double nowS) {
        return new JobTimes(nowS, Double.NaN, Double.NaN, 0, 0, null);
    }

    /** It has its first machines. */
    public JobTimes started(double nowS) {
        return Double.isNaN(startedS)
                ? new JobTimes(submittedS, nowS, endedS, servedS, cost, countedToS)
                : this;
    }

    /** It is over. */
    public JobTimes ended(double nowS) {
        return new JobTimes(submittedS, startedS, nowS, servedS, cost, countedToS);
    }

    /** Seconds in which it held machines until now. */
    public double servedS(double nowS) {
        return servedS + (countedToS == null ? 0 : Math.max(0, nowS - countedToS));
    }

    /** It holds other machines from now on; what was paid since is added. */
    public JobTimes holding(double nowS, double price) {
        return new JobTimes(submittedS, startedS, endedS, servedS(nowS), cost + price, nowS);
    }

    /** It holds none from now on; what was paid since is added. */
    public JobTimes waiting(double nowS, double price) {
        return new JobTimes(submittedS, startedS, endedS, servedS(nowS), cost + price, null);
    }
}
