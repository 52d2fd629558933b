package dev.medley.net.certs;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.IdentityFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/** Grants certificates to machines, as the authority of a cluster. */
final class CertificateMaker {
    private static final String AUTHORITY = "authority";
    private static final String MACHINE = "machine";
    private static final int NAME_BYTES = 4;

    private final Keytool keytool;
    private final Path store;
    private final X509Certificate authority;
    private final Clock clock;

    /**
     * The authority of this file.
     *
     * @throws ConfigException if the file holds none, or it is out of date
     */
    CertificateMaker(Keytool keytool, Path store, Clock clock) {
        this.keytool = keytool;
        this.store = store;
        this.clock = clock;
        this.authority = read(store);
    }

    /** Makes a file with a new authority; its name is drawn, so that people can tell two apart. */
    static void makeAuthority(Keytool keytool, Path store, int days) {
        byte[] drawn = new byte[NAME_BYTES];
        new SecureRandom().nextBytes(drawn);
        keytool.makeKey(
                store,
                AUTHORITY,
                "Medley cluster " + HexFormat.of().formatHex(drawn),
                days,
                "bc:c=ca:true,pathlen:0",
                "ku:c=keyCertSign,cRLSign");
    }

    String authorityName() {
        return IdentityFile.nameOf(authority);
    }

    /** Whether this authority made the certificate of a machine's file. */
    boolean hasMade(Path identity) {
        return IdentityFile.read(identity).authority().equals(authority);
    }

    /**
     * Makes a machine's file: its key, its certificate, and the authority's certificate, but not
     * the authority's key.
     *
     * @param draft where files may lie meanwhile
     * @return until when it is valid
     */
    Instant makeIdentity(Path draft, Path identity, String name, int days) throws IOException {
        checkLife(days);
        Path key = draft.resolve(name + ".key.p12");
        Path request = draft.resolve(name + ".csr");
        Path granted = draft.resolve(name + ".cer");
        keytool.makeKey(key, MACHINE, name, 1);
        keytool.request(key, MACHINE, request);
        keytool.grant(
                store,
                AUTHORITY,
                request,
                granted,
                days,
                "bc=ca:false",
                "ku:c=digitalSignature",
                "eku=serverAuth,clientAuth");
        return join(key, granted, identity);
    }

    private void checkLife(int days) {
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        long most = Duration.between(now, authority.getNotAfter().toInstant()).toDays() + 1;
        ConfigException.check(
                days <= most,
                "a certificate for %d days would outlive its authority %s, which has %d left: ask"
                        + " for less with --days, or begin a new cluster in another folder",
                days,
                store,
                most);
    }

    private Instant join(Path key, Path granted, Path identity) throws IOException {
        char[] password = Credentials.PASSWORD.toCharArray();
        try (InputStream keyIn = Files.newInputStream(key);
                InputStream grantedIn = Files.newInputStream(granted);
                OutputStream out = Files.newOutputStream(identity)) {
            KeyStore alone = KeyStore.getInstance("PKCS12");
            alone.load(keyIn, password);
            Key secret = alone.getKey(MACHINE, password);
            X509Certificate certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(grantedIn);
            KeyStore whole = KeyStore.getInstance("PKCS12");
            whole.load(null, null);
            Certificate[] chain = {certificate, authority};
            whole.setKeyEntry(MACHINE, secret, password, chain);
            whole.store(out, password);
            return certificate.getNotAfter().toInstant();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("what keytool made cannot be read", e);
        }
    }

    private X509Certificate read(Path file) {
        X509Certificate found = IdentityFile.readAuthority(file);
        Instant until = found.getNotAfter().toInstant();
        ConfigException.check(
                Instant.ofEpochMilli(clock.wallMillis()).isBefore(until),
                "%s: the authority was valid until %s: begin a new cluster in another folder",
                file,
                until);
        return found;
    }
}
