package dev.medley.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Tells which build of Medley this is, and what it runs on. */
public final class Version {
    private static final String SNAPSHOT = "-SNAPSHOT";
    private static final String FINGERPRINT = "[0-9a-f]{64}";
    private static final int SHOWN_DIGITS = 8;

    private Version() {}

    /**
     * Medley's version, the same for all builds on the way to a release: for what is worth keeping
     * from one of them to the next.
     */
    public static String number() {
        return property("/dev/medley/version.properties", "version", "unknown");
    }

    /**
     * Which build this is. Of a release its version; before that with a fingerprint of the sources
     * that it was built from, {@code 0.1.0-SNAPSHOT+5f0c2a91}, whatever JDK built it, committed or
     * not. All processes of a run are of one build: what they exchange is read by no other.
     */
    public static String build() {
        String number = number();
        String fingerprint = property("/dev/medley/build.properties", "fingerprint", "");
        boolean isKnown = fingerprint.matches(FINGERPRINT); // Not in tests of modules below api.
        return number.endsWith(SNAPSHOT) && isKnown
                ? number + "+" + fingerprint.substring(0, SHOWN_DIGITS)
                : number;
    }

    /**
     * Why somebody cannot take part in what another coordinates.
     *
     * @param who in the message
     * @param theirs build of who wants to take part; empty if it was not said
     * @param ours build of the coordinator
     * @return null if they are of one build
     */
    public static @Nullable String refusal(String who, String theirs, String ours) {
        return theirs.equals(ours)
                ? null
                : "%s is Medley %s, the coordinator is %s: use one build on all machines"
                        .formatted(who, theirs.isEmpty() ? "of no known version" : theirs, ours);
    }

    /** {@code medley 0.1.0 (JDK 17.0.15, linux amd64)}. */
    public static String line() {
        return String.format(
                Locale.ROOT,
                "medley %s (JDK %s, %s %s)",
                build(),
                Runtime.version(),
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT),
                System.getProperty("os.arch", ""));
    }

    private static String property(String resource, String key, String unknown) {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream(resource)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty(key, unknown);
    }
}
