package dev.medley.tenant.door;

import static dev.medley.base.ConfigException.check;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import dev.medley.base.Sha256;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.policy.CallerSpec;
import dev.medley.tenant.quota.QuotaLimits;
import dev.medley.tenant.read.PoliciesInForce;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Knows callers by their signatures, and for queries by their secrets as bearer tokens. Nothing
 * else that a request says names its caller.
 *
 * <p>Thread: any.
 */
final class DoorCallers {
    private static final int LEAST_CHARACTERS = 16;
    private static final long MOST_AT_ONCE = 64;
    private static final String BEARER = "Bearer ";

    /** Nobody has it, so that nobody can tell an unknown name from a wrong secret. */
    private static final String NOBODYS = randomSecret();

    private final PoliciesInForce policies;
    private final Map<String, Known> callers = new HashMap<>();

    /** A caller with his secret. */
    record Known(TenantCaller caller, QuotaLimits quotas, String secret) {
        @Override
        public String toString() {
            return caller.name(); // The secret is written nowhere.
        }
    }

    /**
     * Reads the secrets of all callers that have one.
     *
     * @param environment a variable's value, null if it is not set
     */
    DoorCallers(PoliciesInForce policies, UnaryOperator<@Nullable String> environment) {
        this.policies = policies;
        Map<String, String> bySecret = new HashMap<>();
        for (CallerSpec spec : policies.policies().callers().values()) {
            String name = spec.caller().name();
            if (spec.secret() == null) {
                continue;
            }
            String secret = spec.secret().read(environment);
            check(
                    secret.length() >= LEAST_CHARACTERS,
                    "the secret of caller %s has %d characters: at least %d are needed, as"
                            + " 'openssl rand -hex 20' makes them",
                    name,
                    secret.length(),
                    LEAST_CHARACTERS);
            String other = bySecret.put(secret, name);
            check(
                    other == null,
                    "callers %s and %s have the same secret: each needs its own",
                    other,
                    name);
            callers.put(name, new Known(spec.caller(), bounded(spec.quotas()), secret));
        }
        check(
                !callers.isEmpty(),
                "no caller has a secret, so nobody could come through the door: give one secret:"
                        + " file:PATH or env:NAME");
    }

    /** Those that name these callers. */
    PoliciesInForce policies() {
        return policies;
    }

    private static String randomSecret() {
        byte[] secret = new byte[20];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /** Who is said to have no bound does not take all connections. */
    private static QuotaLimits bounded(QuotaLimits said) {
        return new QuotaLimits(
                said.requestsPerMinute(),
                said.rowsPerDay(),
                said.bytesPerDay(),
                Math.min(said.concurrentReads(), MOST_AT_ONCE));
    }

    /**
     * Who a request is from, as its headers prove.
     *
     * @param payload SHA-256 of the body that was signed; null where a token proves it, which says
     *     nothing of the body
     */
    record Proof(Known known, @Nullable String payload) {
        /** Whether this body is the one that was signed. */
        boolean covers(byte[] body) {
            return payload == null || payload.equals(Sha256.hex(body));
        }
    }

    /**
     * Who a request is from. Its body need not have come.
     *
     * @throws DoorFailure if nothing proves it
     */
    Proof prove(RequestHeaders headers, AskedTarget target, long nowMs) {
        List<String> given = headers.getAll(HttpHeaderNames.AUTHORIZATION);
        if (target.has("X-Amz-Signature") || target.has("Signature")) {
            throw DoorFailure.denied(
                    "presigned addresses are not taken: whoever finds one could use it");
        }
        if (given.size() != 1) {
            throw DoorFailure.denied("the request has to be signed, with one Authorization header");
        }
        String header = given.get(0);
        if (header.startsWith(BEARER) && target.path().equals(DoorWork.QUERY_PATH)) {
            return new Proof(byToken(header.substring(BEARER.length()).strip()), null);
        }
        if (!header.startsWith(AwsSignature.ALGORITHM + " ")) {
            throw DoorFailure.denied("the request has to be signed with AWS Signature Version 4");
        }
        AwsSignature signature = AwsSignature.of(header);
        Known known = callers.get(signature.name());
        // As long for nobody as for a caller.
        String secret = known == null ? NOBODYS : known.secret();
        String payload = signature.check(headers, target, secret, nowMs);
        if (known == null) {
            throw AwsSignature.wrong();
        }
        return new Proof(known, payload);
    }

    private Known byToken(String token) {
        byte[] given = token.getBytes(StandardCharsets.UTF_8);
        Known found = null;
        for (Known each : callers.values()) {
            if (MessageDigest.isEqual(given, each.secret().getBytes(StandardCharsets.UTF_8))) {
                found = each;
            }
        }
        if (found == null) {
            throw DoorFailure.denied("this token is no caller's");
        }
        return found;
    }
}
