package dev.medley.net.tls;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.Locale;

/**
 * The contents of a machine's PKCS#12 file: a key, its certificate, and at the end of its chain the
 * authority's.
 *
 * @param file for messages
 * @param store with the key
 * @param certificate of the key
 * @param authority that made it
 */
public record IdentityFile(
        Path file, KeyStore store, X509Certificate certificate, X509Certificate authority) {
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** A moment as messages say it. */
    public static String said(Instant moment) {
        return MOMENT.format(moment);
    }

    /**
     * Reads a machine's file.
     *
     * @throws ConfigException if it is not there or not of that kind; dates are not looked at
     */
    public static IdentityFile read(Path file) {
        KeyStore store = store(file);
        return of(file, store, chain(file, store));
    }

    /**
     * Reads the certificate of an authority from the file with its key.
     *
     * @throws ConfigException if the file is not there or not of that kind
     */
    public static X509Certificate readAuthority(Path file) {
        Certificate[] chain = chain(file, store(file));
        if (chain.length == 1
                && chain[0] instanceof X509Certificate authority
                && authority.getBasicConstraints() >= 0) {
            return authority;
        }
        throw new ConfigException(
                file + " holds no authority: medley certs makes one in a folder without one");
    }

    /** The common name of a certificate. */
    public static String nameOf(X509Certificate certificate) {
        return DistinguishedName.commonName(certificate.getSubjectX500Principal());
    }

    /** Until when the certificate can be used. */
    public Instant validUntil() {
        return certificate.getNotAfter().toInstant();
    }

    /**
     * Checks dates before they fail a handshake, where less can be said about them.
     *
     * @throws ConfigException unless the certificate is valid {@code now}
     */
    void requireInDate(Instant now) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        ConfigException.check(
                !now.isAfter(until),
                "%s: the certificate was valid until %s, and now it is %s: make a new one with"
                        + " medley certs",
                file,
                said(until),
                said(now));
        ConfigException.check(
                !now.isBefore(from),
                "%s: the certificate is not valid before %s, and this machine's clock says %s: the"
                        + " clock may be wrong",
                file,
                said(from),
                said(now));
    }

    private static Certificate[] chain(Path file, KeyStore store) {
        try {
            for (String alias : Collections.list(store.aliases())) {
                Certificate[] chain = store.getCertificateChain(alias);
                if (store.isKeyEntry(alias) && chain != null) {
                    return chain;
                }
            }
        } catch (GeneralSecurityException e) {
            throw unusable(file, e);
        }
        throw new ConfigException(
                file + " holds no key: a machine needs the identity.p12 that medley certs made");
    }

    private static IdentityFile of(Path file, KeyStore store, Certificate[] chain) {
        if (chain.length >= 2
                && chain[0] instanceof X509Certificate own
                && chain[chain.length - 1] instanceof X509Certificate authority
                && authority.getBasicConstraints() >= 0) {
            return new IdentityFile(file, store, own, authority);
        }
        throw new ConfigException(
                file
                        + " holds a certificate without its authority's: a machine needs the"
                        + " identity.p12 that medley certs made");
    }

    private static KeyStore store(Path file) {
        NamedFile.require(file);
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, Credentials.PASSWORD.toCharArray());
            return store;
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "%s: no such file. medley certs makes one for each machine".formatted(file), e);
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw new ConfigException(
                        ("%s has another password than '%s', which medley certs gives to all:"
                                        + " export it anew with that password, and protect the file"
                                        + " by its permissions")
                                .formatted(file, Credentials.PASSWORD),
                        e);
            }
            throw unusable(file, e);
        } catch (GeneralSecurityException e) {
            throw unusable(file, e);
        }
    }

    private static ConfigException unusable(Path file, Exception e) {
        return new ConfigException(
                "%s cannot be read as a PKCS#12 file with a key and certificates: %s"
                        .formatted(file, e.getMessage()),
                e);
    }
}
