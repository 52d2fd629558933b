package dev.medley.fleet.view;

import dev.medley.base.ConfigException;

/**
 * Holds how many machines a job can use at once. A job whose bounds are equal is a gang: it gets
 * all of them or none.
 *
 * @param exchangeRate work a second that talking among more than the least machines would allow if
 *     computing took no time, as measured; infinite where it was not
 */
public record Demand(int minWorkers, int maxWorkers, double exchangeRate) {
    public Demand {
        ConfigException.check(
                1 <= minWorkers && minWorkers <= maxWorkers,
                "a job wants %d to %d machines; give bounds with 1 <= min <= max",
                minWorkers,
                maxWorkers);
        ConfigException.check(
                exchangeRate > 0, "an exchange rate is %s; give one above 0", exchangeRate);
    }

    /** Bounds of a job whose machines were not measured together. */
    public Demand(int minWorkers, int maxWorkers) {
        this(minWorkers, maxWorkers, Double.POSITIVE_INFINITY);
    }

    /** Exactly that many machines, of one type. */
    public static Demand gang(int workers) {
        return new Demand(workers, workers);
    }

    /** Whether it gets all machines or none. */
    public boolean isGang() {
        return minWorkers == maxWorkers;
    }
}
