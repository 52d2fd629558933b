package dev.medley.serving.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Issues tokens, as an OpenID Connect provider does, and shows its keys on loopback. */
@SuppressWarnings("JavaUtilDate") // The library's times.
final class GivenIssuer implements AutoCloseable {
    /** Keys of RSA take long to make, so that all issuers have one, and all others another. */
    private static final Map<String, RSAKey> MADE = new ConcurrentHashMap<>();

    private final HttpServer server;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile JWK key;

    GivenIssuer() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        key = made("its own").keyID("first").build();
        answer(
                "/.well-known/openid-configuration",
                () -> Json.line(Map.of("issuer", url(), "jwks_uri", url() + "/keys")));
        answer(
                "/keys",
                () -> {
                    asked.incrementAndGet();
                    return new JWKSet(key).toString(true);
                });
        server.start();
    }

    /** A key of somebody else, by the name that it has. */
    static RSAKey rsa(String id) {
        return made("another").keyID(id).build();
    }

    private static RSAKey.Builder made(String whose) {
        RSAKey key =
                MADE.computeIfAbsent(
                        whose,
                        each -> {
                            try {
                                return new RSAKeyGenerator(2048).generate();
                            } catch (JOSEException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        return new RSAKey.Builder(key);
    }

    private interface Text {
        String text();
    }

    private void answer(String path, Text text) {
        server.createContext(
                path,
                exchange -> {
                    byte[] bytes = text.text().getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How often keys were asked for. */
    int asked() {
        return asked.get();
    }

    /** Shows another key alone, of another kind. */
    void rotate() throws Exception {
        key = new ECKeyGenerator(Curve.P_256).keyID("second").generate();
    }

    JWTClaimsSet.Builder claims(long nowMillis) {
        return new JWTClaimsSet.Builder()
                .issuer(url())
                .subject("ada")
                .audience("medley")
                .expirationTime(new Date(nowMillis + 600_000));
    }

    String token(JWTClaimsSet claims) throws Exception {
        return token(claims, key);
    }

    static String token(JWTClaimsSet claims, JWK by) throws Exception {
        boolean isRsa = by instanceof RSAKey;
        JWSHeader header =
                new JWSHeader.Builder(isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256)
                        .keyID(by.getKeyID())
                        .build();
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(isRsa ? new RSASSASigner(by.toRSAKey()) : new ECDSASigner((ECKey) by));
        return token.serialize();
    }

    /** Signed by nobody. */
    static String plain(JWTClaimsSet claims) {
        return new PlainJWT(claims).serialize();
    }

    /** Signed with the public key as if it were a secret. */
    String confused(JWTClaimsSet claims) throws Exception {
        SignedJWT token =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(key.getKeyID()).build(),
                        claims);
        token.sign(new MACSigner(key.toRSAKey().toRSAPublicKey().getEncoded()));
        return token.serialize();
    }

    @Override
    public void close() throws IOException {
        server.stop(0);
    }
}
