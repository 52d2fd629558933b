package dev.medley.net.tls;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts certificates of one authority, whatever the host is called. The JDK decides; this class
 * says in a user's words why a certificate was refused.
 */
final class ClusterTrust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager decides;
    private final X509Certificate authority;
    private final Clock clock;

    /** Why a certificate was refused, as what is said about its owner. */
    static final class Refused extends CertificateException {
        private static final long serialVersionUID = 1L;

        Refused(String reason, CertificateException cause) {
            super(reason, cause);
        }
    }

    private ClusterTrust(X509ExtendedTrustManager decides, X509Certificate authority, Clock clock) {
        this.decides = decides;
        this.authority = authority;
        this.clock = clock;
    }

    static ClusterTrust in(X509Certificate authority, Clock clock) throws GeneralSecurityException {
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        try {
            anchors.load(null, null);
        } catch (IOException e) {
            throw new IllegalStateException("an empty store is read from nowhere", e);
        }
        anchors.setCertificateEntry("authority", authority);
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(anchors);
        for (TrustManager each : factory.getTrustManagers()) {
            if (each instanceof X509ExtendedTrustManager decides) {
                return new ClusterTrust(decides, authority, clock);
            }
        }
        throw new GeneralSecurityException("this JDK has no X.509 trust manager");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        try {
            decides.checkClientTrusted(chain, type, socket);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        try {
            decides.checkClientTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        try {
            decides.checkClientTrusted(chain, type);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        try {
            decides.checkServerTrusted(chain, type, socket);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    /** Without the engine, by whose settings HTTP clients would have the host's name compared. */
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        try {
            decides.checkServerTrusted(chain, type);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        try {
            decides.checkServerTrusted(chain, type);
        } catch (CertificateException e) {
            throw refused(chain, e);
        }
    }

    /** A machine shows its certificate without being told whose would be taken. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }

    private Refused refused(X509Certificate[] chain, CertificateException cause) {
        X509Certificate theirs = chain[0];
        String name = IdentityFile.nameOf(theirs);
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        Instant from = theirs.getNotBefore().toInstant();
        Instant until = theirs.getNotAfter().toInstant();
        String reason;
        if (!isOfAuthority(theirs)) {
            reason =
                    "its certificate, %s, is of another cluster's authority, %s, and not of %s"
                            .formatted(
                                    name,
                                    DistinguishedName.commonName(theirs.getIssuerX500Principal()),
                                    DistinguishedName.commonName(
                                            authority.getSubjectX500Principal()));
        } else if (now.isAfter(until)) {
            reason =
                    "its certificate, %s, was valid until %s: make a new one with medley certs"
                            .formatted(name, IdentityFile.said(until));
        } else if (now.isBefore(from)) {
            reason =
                    ("its certificate, %s, is not valid before %s, and the clock here says %s: one"
                                    + " of the two clocks may be wrong")
                            .formatted(name, IdentityFile.said(from), IdentityFile.said(now));
        } else {
            reason = "its certificate, %s, is not sound: %s".formatted(name, cause.getMessage());
        }
        return new Refused(reason, cause);
    }

    private boolean isOfAuthority(X509Certificate theirs) {
        try {
            theirs.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
