package dev.medley.fleet.trace;

import dev.medley.base.ConfigException;

/**
 * Holds one job of a workload.
 *
 * @param id from 0 in the order of arrival
 * @param kind jobs of one kind have the same rates
 * @param workers machines of one type that it needs together
 * @param arrivalS seconds since the workload's beginning
 * @param work in the job's own unit, such as steps
 * @param rates work a second with that many machines, by type; 0 where it does not run
 */
public record TraceJob(
        long id, String kind, int workers, double arrivalS, double work, double[] rates) {
    public TraceJob {
        ConfigException.check(
                workers >= 1, "job %d needs %d machines; give 1 or more", id, workers);
        ConfigException.check(
                arrivalS >= 0 && arrivalS < Double.POSITIVE_INFINITY,
                "job %d arrives at %s s; give a time of 0 or later",
                id,
                arrivalS);
        ConfigException.check(
                work > 0 && work < Double.POSITIVE_INFINITY,
                "job %d has work %s; give a number above 0",
                id,
                work);
        for (double rate : rates) {
            ConfigException.check(
                    rate >= 0 && rate < Double.POSITIVE_INFINITY,
                    "job %d (%s) has rate %s on a machine type; give a number of 0 or more",
                    id,
                    kind,
                    rate);
        }
    }

    /** Its highest rate; 0 where it runs nowhere. */
    public double bestRate() {
        double best = 0;
        for (double rate : rates) {
            best = Math.max(best, rate);
        }
        return best;
    }

    /** The same at another time. */
    public TraceJob at(double otherArrivalS) {
        return new TraceJob(id, kind, workers, otherArrivalS, work, rates);
    }
}
