package dev.medley.serving.http;

import static dev.medley.base.ConfigException.check;

import dev.medley.serving.oidc.OidcCallers;
import org.jspecify.annotations.Nullable;

/**
 * Says who may ask, and how often.
 *
 * @param tokens of those who may; null for everybody who reaches the server
 * @param oidc who may, too, by tokens of an issuer; null for none
 * @param perSecond requests of one caller; infinite for no bound
 */
public record ServeCallers(
        @Nullable CallerTokens tokens, @Nullable OidcCallers oidc, double perSecond) {
    /** Everybody, as often as they like. */
    public static final ServeCallers ALL = new ServeCallers(null, Double.POSITIVE_INFINITY);

    /** Those of the tokens alone. */
    public ServeCallers(@Nullable CallerTokens tokens, double perSecond) {
        this(tokens, null, perSecond);
    }

    public ServeCallers {
        check(perSecond > 0, "%s requests a second: give more than 0", perSecond);
    }
}
