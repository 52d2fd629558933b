package dev.medley.connect.salesforce.call;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Carries what an org lets in: a token, the address that it is good for, and the org's id. Got by
 * the OAuth 2.0 JWT bearer flow (RFC 7523): a claim signed with the connected app's key. Its text
 * does not show the token.
 */
public record AccessToken(String token, String instanceUrl, String org) {
    static final String PATH = "/services/oauth2/token";
    private static final int LARGEST_KEY_BYTES = 1 << 16;

    /** Salesforce takes claims that end within three minutes. */
    private static final long CLAIM_MILLIS = 170_000;

    private static final String GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

    /** The address of a user's identity names the org before the user. */
    private static final Pattern ORG = Pattern.compile("/id/(00D\\w{12,15})/");

    @Override
    public String toString() {
        return "a token for " + instanceUrl;
    }

    /** The form that asks for a token at {@code nowMillis}. */
    static String form(SalesforceLogin login, long nowMillis) {
        JWTClaimsSet claims =
                new JWTClaimsSet.Builder()
                        .issuer(login.consumerKey())
                        .subject(login.user())
                        .audience(login.audience())
                        .claim("exp", (nowMillis + CLAIM_MILLIS) / 1000)
                        .build();
        SignedJWT jwt = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
        try {
            jwt.sign(new RSASSASigner(key(login)));
        } catch (JOSEException e) {
            throw new ConfigException(
                    "%s: does not sign; an RSA key of at least 2,048 bits is needed"
                            .formatted(login.keyFile()),
                    e);
        }
        return "grant_type=%s&assertion=%s"
                .formatted(URLEncoder.encode(GRANT, StandardCharsets.UTF_8), jwt.serialize());
    }

    private static PrivateKey key(SalesforceLogin login) {
        String wanted =
                login.keyFile()
                        + ": is not a private key in PKCS 8 (PEM, BEGIN PRIVATE KEY); make one with"
                        + " openssl pkcs8 -topk8 -nocrypt";
        try {
            byte[] file = NamedFile.bytes(login.keyFile(), LARGEST_KEY_BYTES);
            Matcher pem = PEM.matcher(new String(file, StandardCharsets.ISO_8859_1));
            if (!pem.find() || !pem.group(1).equals("PRIVATE KEY")) {
                throw new ConfigException(wanted);
            }
            byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
            return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: the private key cannot be read: %s"
                            .formatted(login.keyFile(), e.getMessage()),
                    e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new ConfigException(wanted, e);
        }
    }

    /** What the org answered; a refusal is the user's to mend. */
    static AccessToken answered(SalesforceLogin login, int status, byte[] body) throws IOException {
        JsonNode json;
        try {
            json = Json.parse(body, JsonNode.class);
        } catch (JacksonException e) {
            throw new IOException(
                    "%s answers %d and no JSON where tokens are given: is it the login address?"
                            .formatted(login.loginUrl(), status),
                    e);
        }
        if (status == 200 && json.path("access_token").isString()) {
            String instance = json.path("instance_url").asString(login.loginUrl());
            Matcher org = ORG.matcher(json.path("id").asString(""));
            return new AccessToken(
                    json.path("access_token").asString(),
                    instance,
                    org.find() ? org.group(1) : instance);
        }
        if (status >= 500) {
            throw new SalesforceRefusal(status, "LOGIN", "no token now", login.loginUrl());
        }
        String said = json.path("error_description").asString("");
        throw new ConfigException(
                "%s does not let %s in: %s (%s). %s"
                        .formatted(
                                login.loginUrl(),
                                login.user(),
                                said,
                                json.path("error").asString("status " + status),
                                remedy(said)));
    }

    private static String remedy(String said) {
        if (said.contains("client identifier")) {
            return "Compare the consumer key with the connected app's.";
        }
        if (said.contains("approved")) {
            return "Check the user's name, and let the user use the connected app in advance"
                    + " (admin approved users, a permission set or profile).";
        }
        if (said.contains("expired")) {
            return "Compare this machine's clock with the time.";
        }
        if (said.contains("audience")) {
            return "Give https://login.salesforce.com, or https://test.salesforce.com for a"
                    + " sandbox.";
        }
        return "The key file must belong to the certificate of the connected app, and the app must"
                + " use digital signatures.";
    }
}
