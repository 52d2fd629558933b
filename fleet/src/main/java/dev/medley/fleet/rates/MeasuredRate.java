package dev.medley.fleet.rates;

import dev.medley.base.ConfigException;

/**
 * Holds how fast jobs of a kind ran on machines of a type.
 *
 * @param rate work a second on one machine
 * @param relativeError of it, from how steady and how long it was measured
 */
public record MeasuredRate(JobKind kind, TypeSpeed type, double rate, double relativeError) {
    public MeasuredRate {
        ConfigException.check(
                rate > 0 && rate < Double.POSITIVE_INFINITY,
                "%s ran at %s a second on %s; give a number above 0",
                kind.name(),
                rate,
                type.name());
        ConfigException.check(
                relativeError > 0,
                "the rate of %s on %s has relative error %s; give a number above 0",
                kind.name(),
                type.name(),
                relativeError);
    }
}
