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

/** Makes certificates in PEM with the JDK's keytool, good ones and others. */
final class GivenAuthority {
    private static final char[] PASSWORD = "only-of-a-test".toCharArray();

    private final Path folder;
    private final String name;

    /** A new one, whose files lie in a folder under its name. */
    GivenAuthority(Path folder, String name) throws Exception {
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
    Path certificate() {
        return folder.resolve(name + ".pem");
    }

    /** A certificate of it and its key. */
    record Pem(Path chain, Path key) {}

    /**
     * Makes one.
     *
     * @param names as {@code ip:127.0.0.1}
     * @param start of its time, as keytool has it
     */
    Pem issue(String alias, String names, String start) throws Exception {
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
