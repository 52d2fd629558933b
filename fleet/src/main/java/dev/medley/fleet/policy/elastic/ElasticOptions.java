package dev.medley.fleet.policy.elastic;

import dev.medley.base.ConfigException;

/**
 * Holds what elastic shares assume.
 *
 * @param loss part of the speed that each machine beyond the minimum costs
 * @param horizonS seconds within which a move has to pay back its restart, at most
 */
public record ElasticOptions(double loss, double horizonS) {
    public static final ElasticOptions DEFAULTS = new ElasticOptions(0.04, 600);

    public ElasticOptions {
        ConfigException.check(
                loss >= 0 && loss < 1,
                "each further machine costs %s of the speed; give 0 or more and below 1",
                loss);
        ConfigException.check(
                horizonS > 0, "a horizon of %s s; give seconds above 0, such as 600", horizonS);
    }
}
