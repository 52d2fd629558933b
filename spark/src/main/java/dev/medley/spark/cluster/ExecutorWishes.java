package dev.medley.spark.cluster;

import static dev.medley.base.ConfigException.check;

/**
 * The wishes of a run for the executors of a Spark application.
 *
 * @param least workers with which training begins
 * @param most workers that may take part; those above the least join when Spark has room for them
 * @param launcher how they are started
 */
public record ExecutorWishes(int least, int most, Kind launcher) {
    /** The ways to start workers. */
    public enum Kind {
        /**
         * A task each that lasts as long as the run: a lost one costs its step, new executors join,
         * and dynamic allocation goes with it.
         */
        TASKS,
        /** All in one barrier stage, which Spark starts whole or not at all. */
        BARRIER
    }

    public ExecutorWishes {
        check(least >= 1, "workers=%d: at least 1 is needed", least);
        check(most >= least, "maxWorkers=%d: not below workers=%d", most, least);
        check(
                launcher == Kind.TASKS || most == least,
                "maxWorkers=%d, workers=%d: a barrier stage does not grow; take the launcher tasks,"
                        + " or leave maxWorkers out",
                most,
                least);
    }
}
