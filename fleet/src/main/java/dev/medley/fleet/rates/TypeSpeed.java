package dev.medley.fleet.rates;

import dev.medley.base.ConfigException;

/**
 * Holds what a machine type's own measurement says of its speed, before any job ran there.
 *
 * @param speed such as GFLOP/s of its products; only ratios between types count. NaN where it was
 *     not measured
 */
public record TypeSpeed(String name, double speed) {
    public TypeSpeed {
        ConfigException.check(
                Double.isNaN(speed) || speed > 0 && speed < Double.POSITIVE_INFINITY,
                "machine type %s has speed %s; give a number above 0, or none",
                name,
                speed);
    }
}
