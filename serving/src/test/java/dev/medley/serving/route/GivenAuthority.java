package dev.medley.serving.route;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes certificates in PEM with the JDK's keytool, good ones and others, for tests. */
public final class GivenAuthority {
    private static final char[] PASSWORD = "only-of-a-test".toCharArray();

    private final Path folder;
    private final String name;

    /** A new one, whose files lie in a folder under its name. */
    public GivenAuthority(Path folder, String name) throws Exception {
        this.folder = folder;
        this.name = name;
        keytool(
                "-genkeypair",
                "-alias",
                name,
                "-keystore",
                store(),
                "-dname",
                "CN=" + name,
                "-ext",
                "bc:c",
                "-keyalg",
                "EC",
                "-validity",
                "100");
        Files.writeString(
                certificate(), pem("CERTIFICATE", loaded().getCertificate(name).getEncoded()));
    }

    /** Its own certificate. */
    public Path certificate() {
        return folder.resolve(name + ".pem");
    }

    /** A certificate of it and its key. */
    public record Pem(Path chain, Path key) {}

    /**
     * Makes one.
     *
     * @param names as {@code ip:127.0.0.1}
     * @param start of its time, as keytool has it
     */
    public Pem issue(String alias, String names, String start) throws Exception {
        keytool(
                "-genkeypair",
                "-alias",
                alias,
                "-keystore",
                store(),
                "-dname",
                "CN=" + alias,
                "-keyalg",
                "EC",
                "-ext",
                "san=" + names,
                "-startdate",
                start,
                "-validity",
                "5",
                "-signer",
                name);
        KeyStore all = loaded();
        Path chain = folder.resolve(alias + ".pem");
        Path key = folder.resolve(alias + ".key");
        Files.writeString(chain, pem("CERTIFICATE", all.getCertificate(alias).getEncoded()));
        Files.writeString(key, pem("PRIVATE KEY", all.getKey(alias, PASSWORD).getEncoded()));
        return new Pem(chain, key);
    }

    /**
     * What a client has that trusts {@code known}.
     *
     * @param alias of a certificate of this authority that it shows; null for none
     */
    public SSLContext client(@Nullable String alias, GivenAuthority known)
            throws GeneralSecurityException, IOException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry(known.name, known.loaded().getCertificate(known.name));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyStore shown = empty();
        if (alias != null) {
            KeyStore all = loaded();
            shown.setKeyEntry(
                    alias, all.getKey(alias, PASSWORD), PASSWORD, all.getCertificateChain(alias));
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(shown, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private String store() {
        return folder.resolve(name + ".p12").toString();
    }

    private KeyStore loaded() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(store()))) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private static String pem(String what, byte[] bytes) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, lines, what);
    }

    private static void keytool(String... words) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(words));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), US_ASCII);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
    }
}
