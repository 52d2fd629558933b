package dev.medley.connect.salesforce.fake;

import dev.medley.base.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Gives tokens to those who sign their assertion with the connected app's key. */
final class FakeTokens {
    private final PublicKey key;
    private final String consumerKey;
    private final String user;
    private final Set<String> good = new HashSet<>();
    private int given;

    private String org = "00D000000000001AAA";

    FakeTokens(PublicKey key, String consumerKey, String user) {
        this.key = key;
        this.consumerKey = consumerKey;
        this.user = user;
    }

    /** The answer to a form with an assertion; a refusal is an OAuth error. */
    synchronized Map<String, Object> give(String form, String instanceUrl, long nowSeconds) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : form.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            fields.put(
                    parts[0], URLDecoder.decode(parts[parts.length - 1], StandardCharsets.UTF_8));
        }
        if (!"urn:ietf:params:oauth:grant-type:jwt-bearer".equals(fields.get("grant_type"))) {
            throw new FakeRefusal(400, "unsupported_grant_type", "grant type not supported");
        }
        String[] parts = fields.getOrDefault("assertion", "").split("\\.", -1);
        if (parts.length != 3) {
            throw new FakeRefusal(400, "invalid_grant", "invalid assertion");
        }
        JsonNode header;
        JsonNode claims;
        try {
            header = Json.parse(decoded(parts[0]), JsonNode.class);
            claims = Json.parse(decoded(parts[1]), JsonNode.class);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new FakeRefusal(400, "invalid_grant", "invalid assertion");
        }
        if (!claims.path("iss").asString("").equals(consumerKey)) {
            throw new FakeRefusal(400, "invalid_client_id", "client identifier invalid");
        }
        if (!header.path("alg").asString("").equals("RS256") || !isSigned(parts)) {
            throw new FakeRefusal(400, "invalid_grant", "invalid assertion");
        }
        if (!claims.path("sub").asString("").equals(user)) {
            throw new FakeRefusal(400, "invalid_grant", "user hasn't approved this consumer");
        }
        if (claims.path("aud").asString("").isEmpty()) {
            throw new FakeRefusal(400, "invalid_grant", "audience is invalid");
        }
        long leftSeconds = claims.path("exp").asLong(0) - nowSeconds;
        if (leftSeconds < 0 || leftSeconds > 600) {
            throw new FakeRefusal(400, "invalid_grant", "expired authorization code");
        }
        String token = "00D000000000001!AQ" + ++given + ".fake";
        good.add(token);
        return Map.of(
                "access_token",
                token,
                "instance_url",
                instanceUrl,
                "scope",
                "api",
                "id",
                instanceUrl + "/id/" + org + "/005000000000001AAA",
                "token_type",
                "Bearer");
    }

    synchronized void become(String id) {
        org = id;
        good.clear();
    }

    synchronized boolean isGood(String token, String ofOrg) {
        return good.contains(token) && org.equals(ofOrg);
    }

    synchronized boolean isGood(String token) {
        return good.contains(token);
    }

    /** All tokens end now, as after an administrator's word or their time. */
    synchronized void expire() {
        good.clear();
    }

    private static byte[] decoded(String part) {
        return Base64.getUrlDecoder().decode(part);
    }

    private boolean isSigned(String[] parts) {
        try {
            Signature check = Signature.getInstance("SHA256withRSA");
            check.initVerify(key);
            check.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            return check.verify(decoded(parts[2]));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }
}
