package dev.medley.net.certs;

import dev.medley.base.ConfigException;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's program for keys and certificates.
 *
 * @param program where it lies
 * @param start from when on certificates are valid, as keytool writes it
 */
record Keytool(Path program, String start) {
    /** A day ago, since the clocks of machines differ. */
    private static final String USUAL_START = "-1d";

    private static final long PATIENCE_S = 60;

    /** It lives for half a second: less of it is spent on compiling, and the words are known. */
    private static final List<String> QUICKLY_IN_ENGLISH =
            List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Duser.language=en");

    /** The one of the Java that runs this. */
    static Keytool ofThisJava() {
        boolean isWindows =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
        return new Keytool(
                Path.of(
                        System.getProperty("java.home"),
                        "bin",
                        isWindows ? "keytool.exe" : "keytool"),
                USUAL_START);
    }

    /** A new key on the curve P-256, with a certificate that it signed itself. */
    void makeKey(Path store, String alias, String subject, int days, String... extensions) {
        List<String> words =
                words("-genkeypair", "-alias", alias, "-keyalg", "EC", "-groupname", "secp256r1");
        words.addAll(List.of("-sigalg", "SHA256withECDSA", "-dname", "CN=" + subject));
        words.addAll(validity(days));
        words.addAll(extended(extensions));
        words.addAll(store(store));
        run(words);
    }

    /** Asks for a certificate of a key. */
    void request(Path store, String alias, Path request) {
        List<String> words = words("-certreq", "-alias", alias, "-file", request.toString());
        words.addAll(store(store));
        run(words);
    }

    /** Grants what was asked for. */
    void grant(
            Path store, String alias, Path request, Path granted, int days, String... extensions) {
        List<String> words = words("-gencert", "-alias", alias, "-sigalg", "SHA256withECDSA");
        words.addAll(List.of("-infile", request.toString(), "-outfile", granted.toString()));
        words.addAll(validity(days));
        words.addAll(extended(extensions));
        words.addAll(store(store));
        run(words);
    }

    /** One day more: the one before now. */
    private List<String> validity(int days) {
        return List.of("-startdate", start, "-validity", String.valueOf(days + 1));
    }

    private static List<String> extended(String... extensions) {
        List<String> words = new ArrayList<>();
        for (String extension : extensions) {
            words.addAll(List.of("-ext", extension));
        }
        return words;
    }

    private static List<String> store(Path store) {
        return List.of(
                "-storetype",
                "PKCS12",
                "-storepass",
                Credentials.PASSWORD,
                "-keystore",
                store.toString());
    }

    private List<String> words(String... words) {
        List<String> all = new ArrayList<>();
        all.add(program.toString());
        all.addAll(QUICKLY_IN_ENGLISH);
        all.addAll(Arrays.asList(words));
        return all;
    }

    private void run(List<String> words) {
        ConfigException.check(
                Files.isExecutable(program),
                "certificates are made with keytool, and this Java has none at %s: use a whole JDK"
                        + " or JRE",
                program);
        try {
            Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        "keytool did not end: " + words.get(1 + QUICKLY_IN_ENGLISH.size()));
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(
                        "keytool " + words.get(1 + QUICKLY_IN_ENGLISH.size()) + " failed: " + said);
            }
        } catch (IOException e) {
            throw new IllegalStateException("keytool cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while keytool ran", e);
        }
    }
}
