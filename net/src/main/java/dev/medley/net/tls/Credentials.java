package dev.medley.net.tls;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * Holds a machine's key, its certificate, and the certificate of its cluster's authority, the only
 * one that it trusts.
 *
 * <p>Both sides of a connection show a certificate. Host names are not compared with it: machines
 * of a cluster come and go, and get other addresses. A machine with a certificate of the cluster's
 * authority is of the cluster, in any part; no other machine is.
 */
public final class Credentials {
    /**
     * The password of every file that Medley makes. It is no secret: the PKCS#12 format wants one,
     * and what protects the key is the permissions of its file.
     */
    public static final String PASSWORD = "medley";

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final X509Certificate certificate;
    private final X509Certificate authority;
    private final SSLContext context;
    private final Sides sides;

    private Credentials(X509Certificate certificate, X509Certificate authority, Sides sides) {
        this.certificate = certificate;
        this.authority = authority;
        context = sides.context();
        this.sides = sides;
    }

    /**
     * Reads a PKCS#12 file with one key and its chain up to the authority.
     *
     * @param clock by which certificates are in date, this machine's and those of others
     * @throws ConfigException if there is no such file, it cannot be used, or its certificate is
     *     out of date
     */
    public static Credentials load(Path file, Clock clock) {
        IdentityFile identity = IdentityFile.read(file);
        identity.requireInDate(Instant.ofEpochMilli(clock.wallMillis()));
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(identity.store(), PASSWORD.toCharArray());
            TrustManager[] trusted = {ClusterTrust.in(identity.authority(), clock)};
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), trusted, null);
            Sides sides = new Sides(keys, trusted[0], context);
            return new Credentials(identity.certificate(), identity.authority(), sides);
        } catch (GeneralSecurityException e) {
            throw new ConfigException(
                    "%s: the key cannot be used: %s. Make it anew with medley certs"
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    /**
     * Holds both sides of a connection for libraries that make their own.
     *
     * @param own key of this machine
     * @param trusted who is believed on the other side
     * @param context of both
     */
    public record Sides(KeyManagerFactory own, TrustManager trusted, SSLContext context) {}

    /** Both sides, for libraries that make connections of their own. */
    public Sides sides() {
        return sides;
    }

    /** The machine as its certificate calls it. */
    public String name() {
        return IdentityFile.nameOf(certificate);
    }

    /** The cluster's authority as its certificate calls it. */
    public String authorityName() {
        return IdentityFile.nameOf(authority);
    }

    /** Until when the certificate can be used. */
    public Instant validUntil() {
        return certificate.getNotAfter().toInstant();
    }

    /** The TLS of one connection that this machine opens. */
    public SSLEngine dialling() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        engine.setSSLParameters(strict(engine.getSSLParameters()));
        return engine;
    }

    /** The TLS of one connection that this machine accepted. */
    public SSLEngine answering() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(strict(engine.getSSLParameters()));
        return engine;
    }

    /** TLS over a connected socket that this machine opened; whoever gave {@code raw} closes it. */
    public SSLSocket dialling(Socket raw) throws IOException {
        SSLSocket socket = over(raw);
        socket.setUseClientMode(true);
        socket.setSSLParameters(strict(socket.getSSLParameters()));
        return socket;
    }

    /**
     * TLS over a connected socket that this machine accepted; whoever gave {@code raw} closes it.
     */
    public SSLSocket answering(Socket raw) throws IOException {
        SSLSocket socket = over(raw);
        socket.setUseClientMode(false);
        socket.setSSLParameters(strict(socket.getSSLParameters()));
        return socket;
    }

    private SSLSocket over(Socket raw) throws IOException {
        if (raw.getInetAddress() == null) {
            throw new SocketException("not connected");
        }
        // By address: the name of the other side is asked of nobody.
        String address = raw.getInetAddress().getHostAddress();
        return (SSLSocket)
                context.getSocketFactory().createSocket(raw, address, raw.getPort(), false);
    }

    private static SSLParameters strict(SSLParameters parameters) {
        parameters.setProtocols(PROTOCOLS);
        parameters.setNeedClientAuth(true);
        return parameters;
    }

    @Override
    public String toString() {
        return "certificate of %s by %s, valid until %s"
                .formatted(name(), authorityName(), validUntil());
    }
}
