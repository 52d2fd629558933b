package dev.medley.fleet.view;

import dev.medley.base.ConfigException;

/**
 * Holds how many machines a job can use at once. A job whose bounds are equal is a gang: it gets
 * all of them or none.
 */
public record Demand(int minWorkers, int maxWorkers) {
    public Demand {
        ConfigException.check(
                1 <= minWorkers && minWorkers <= maxWorkers,
                "a job wants %d to %d machines; give bounds with 1 <= min <= max",
                minWorkers,
                maxWorkers);
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
