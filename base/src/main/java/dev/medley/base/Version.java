package dev.medley.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;

/** Which Medley this is, and on what it runs. */
public final class Version {
    private Version() {}

    /** Medley's own version. */
    public static String number() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/dev/medley/version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }

    /** {@code medley 0.1.0 (JDK 17.0.15, linux amd64)}. */
    public static String line() {
        return String.format(
                Locale.ROOT,
                "medley %s (JDK %s, %s %s)",
                number(),
                Runtime.version(),
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT),
                System.getProperty("os.arch", ""));
    }
}
