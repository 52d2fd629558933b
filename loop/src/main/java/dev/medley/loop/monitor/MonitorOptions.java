package dev.medley.loop.monitor;

import dev.medley.base.ConfigException;

/**
 * Says how rare false alarms have to be.
 *
 * @param level chance of one, over the time that the promise says; of a table, whatever its columns
 * @param seed of draws between equal values
 */
public record MonitorOptions(Promise promise, double level, long seed) {
    /** A level between 0 and 1. */
    public MonitorOptions {
        ConfigException.check(
                level > 0 && level < 1,
                "level %s: give the chance of a false alarm, above 0 and below 1, such as 0.05",
                level);
    }

    /** One false alarm at most in twenty monitors, over their whole life. */
    public static MonitorOptions defaults() {
        return new MonitorOptions(Promise.EVER, 0.05, 0);
    }

    /** For one of {@code columns} that together keep the level: each has an equal share. */
    public MonitorOptions shared(int columns) {
        return new MonitorOptions(promise, level / columns, seed);
    }

    /** With another seed for draws. */
    public MonitorOptions seeded(long other) {
        return new MonitorOptions(promise, level, other);
    }
}
