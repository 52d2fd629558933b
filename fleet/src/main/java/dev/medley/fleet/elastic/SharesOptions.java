package dev.medley.fleet.elastic;

import dev.medley.base.ConfigException;

/**
 * Holds what elastic shares of a cluster assume.
 *
 * @param horizonS seconds within which a restart has to pay, at most
 * @param firstWorkers that a job of which nothing is known gets, 1 to 4
 */
public record SharesOptions(double horizonS, int firstWorkers) {
    public static final SharesOptions DEFAULTS = new SharesOptions(600, 2);

    public SharesOptions {
        ConfigException.check(
                horizonS > 0, "a horizon of %s s; give seconds above 0, such as 600", horizonS);
        ConfigException.check(
                1 <= firstWorkers && firstWorkers <= 4,
                "a first share of %d workers; give 1 to 4",
                firstWorkers);
    }
}
