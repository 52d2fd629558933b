package dev.medley.serving.http;

import static dev.medley.base.ConfigException.check;

import org.jspecify.annotations.Nullable;

/**
 * Says who may ask, and how often.
 *
 * @param tokens of those who may; null for everybody who reaches the server
 * @param perSecond requests of one caller; infinite for no bound
 */
public record ServeCallers(@Nullable CallerTokens tokens, double perSecond) {
    /** Everybody, as often as they like. */
    public static final ServeCallers ALL = new ServeCallers(null, Double.POSITIVE_INFINITY);

    public ServeCallers {
        check(perSecond > 0, "%s requests a second: give more than 0", perSecond);
    }
}
