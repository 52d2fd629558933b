package dev.medley.serving.oidc;

import static dev.medley.base.ConfigException.check;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Sha256;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Knows callers by their tokens (JWT) of one issuer: signed by a key that it shows, in time, and
 * for this audience. Keys are fetched once and again when a token has another; a token that was
 * good is known for a minute without being looked at again.
 */
@SuppressWarnings("JavaUtilDate") // The library's times.
public final class OidcCallers {
    private static final long KEYS_MILLIS = 300_000;
    private static final long PATIENCE_MILLIS = 15_000;
    private static final long BETWEEN_MILLIS = 30_000;
    private static final long KNOWN_MILLIS = 60_000;
    private static final long OUTAGE_MILLIS = 4 * 3600_000L;
    private static final long REFUSED_MILLIS = 10_000;
    private static final int MOST_KNOWN = 10_000;

    /** Signatures take time: more tokens that nobody knows yet have to wait. */
    static final int LOOKS_A_SECOND = 500;

    private static final int LONGEST_TOKEN = 16 << 10;
    private static final int LONGEST_NAME = 255;

    /** Keys of which nobody but the issuer has the private part. */
    private static final Set<JWSAlgorithm> ALGORITHMS = algorithms();

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    private final Clock clock;

    /** By the hash of a token; the one that was asked for last is the last. */
    private final Map<String, Known> known =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                    return size() > MOST_KNOWN;
                }
            };

    private record Known(String caller, long untilMillis) {}

    /** Tokens that did not do, for a while, and why: who sends one again and again is cheap. */
    private final Map<String, Refused> refused =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Refused> eldest) {
                    return size() > MOST_KNOWN;
                }
            };

    private record Refused(String why, long untilMillis) {}

    private double looksLeft = LOOKS_A_SECOND;
    private long looksMillis;

    private OidcCallers(
            String issuer,
            @Nullable String audience,
            JWKSource<SecurityContext> keys,
            Clock clock) {
        this.clock = clock;
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(
                        JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        processor.setJWTClaimsSetVerifier(
                new DefaultJWTClaimsVerifier<>(
                        audience,
                        new JWTClaimsSet.Builder().issuer(issuer).build(),
                        Set.of("sub", "exp")) {
                    @Override
                    protected Date currentTime() {
                        return new Date(clock.wallMillis());
                    }
                });
    }

    private static Set<JWSAlgorithm> algorithms() {
        Set<JWSAlgorithm> all = new HashSet<>(JWSAlgorithm.Family.RSA);
        all.addAll(JWSAlgorithm.Family.EC);
        all.remove(JWSAlgorithm.ES256K); // Not of the JDK's.
        return all;
    }

    /**
     * Asks an issuer where its keys are.
     *
     * @param issuer its URL, as tokens have it
     * @param audience for which tokens have to be; null for any
     * @throws ConfigException if it does not answer, or tells of another
     */
    public static OidcCallers of(String issuer, @Nullable String audience, Clock clock) {
        URI base;
        try {
            base = URI.create(issuer);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--oidc %s: is no URL".formatted(issuer), e);
        }
        check(
                IssuerFiles.isSafe(base),
                "--oidc %s: give the https URL of an issuer; http is for this machine alone",
                issuer);
        IssuerFiles files = new IssuerFiles();
        URI place =
                URI.create(issuer.replaceFirst("/+$", "") + "/.well-known/openid-configuration");
        try {
            JsonNode told = Json.parseLeniently(bytes(files.text(place)), JsonNode.class);
            String own = told.path("issuer").asString("");
            check(
                    own.equals(issuer),
                    "--oidc %s: this issuer calls itself '%s': give that",
                    issuer,
                    own);
            URI keys = URI.create(told.path("jwks_uri").asString(""));
            check(
                    IssuerFiles.isSafe(keys),
                    "--oidc %s: its keys are at '%s', which is not https",
                    issuer,
                    keys);
            JWKSource<SecurityContext> source =
                    JWKSourceBuilder.create(keys.toURL(), files)
                            .cache(KEYS_MILLIS, PATIENCE_MILLIS)
                            .rateLimited(BETWEEN_MILLIS)
                            .outageTolerant(OUTAGE_MILLIS)
                            .build();
            return new OidcCallers(issuer, audience, source, clock);
        } catch (IOException | JacksonException | IllegalArgumentException e) {
            throw new ConfigException(
                    "--oidc %s: the issuer cannot be asked: %s".formatted(issuer, e), e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Who showed that token not long ago; null for nobody. Does not wait. */
    public @Nullable String known(String token) {
        synchronized (known) {
            Known found = known.get(Sha256.hex(token));
            return found != null && clock.wallMillis() < found.untilMillis()
                    ? found.caller()
                    : null;
        }
    }

    /**
     * Who shows that token; may wait for the issuer's keys.
     *
     * @throws ServingFailure if it is not good, or nobody knows
     */
    public String caller(String token) {
        if (token.length() > LONGEST_TOKEN) {
            throw unknown("it is too long");
        }
        requireFresh(token);
        try {
            return looked(token);
        } catch (ServingFailure e) {
            if (e.kind() == Kind.UNAUTHENTICATED) {
                long until = clock.wallMillis() + REFUSED_MILLIS;
                synchronized (known) {
                    refused.put(Sha256.hex(token), new Refused(e.sentence(), until));
                }
            }
            throw e;
        }
    }

    /** Whether a token did not do a moment ago, or too many were looked at. */
    private void requireFresh(String token) {
        long now = clock.wallMillis();
        synchronized (known) {
            Refused before = refused.get(Sha256.hex(token));
            if (before != null && now < before.untilMillis()) {
                throw new ServingFailure(Kind.UNAUTHENTICATED, before.why());
            }
            double more = Math.max(0, now - looksMillis) / 1000.0 * LOOKS_A_SECOND;
            looksLeft = Math.min(LOOKS_A_SECOND, looksLeft + more);
            looksMillis = now;
            if (looksLeft < 1) {
                throw new ServingFailure(
                        Kind.TOO_MANY, "too many tokens are looked at: try again", 1);
            }
            looksLeft--;
        }
    }

    private String looked(String token) {
        try {
            JWTClaimsSet claims = processor.process(token, null);
            String name = claims.getSubject();
            if (name == null || name.isBlank() || name.length() > LONGEST_NAME) {
                throw unknown("it names nobody");
            }
            remember(token, name, claims.getExpirationTime());
            return name;
        } catch (RateLimitReachedException e) {
            throw unknown("no key of the issuer fits it");
        } catch (KeySourceException e) {
            throw new ServingFailure(
                    Kind.UNAVAILABLE, "the issuer of tokens does not show its keys: try again");
        } catch (ExpiredJWTException e) {
            throw unknown("its time is over");
        } catch (ParseException | BadJOSEException | JOSEException e) {
            throw unknown("it is not of this issuer, for this server and in time");
        }
    }

    private static ServingFailure unknown(String why) {
        return new ServingFailure(Kind.UNAUTHENTICATED, "this token does not do: " + why);
    }

    private void remember(String token, String name, Date expires) {
        long until = Math.min(expires.getTime(), clock.wallMillis() + KNOWN_MILLIS);
        synchronized (known) {
            known.put(Sha256.hex(token), new Known(name, until));
        }
    }
}
