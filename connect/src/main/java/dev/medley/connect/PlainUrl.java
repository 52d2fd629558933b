package dev.medley.connect;

import dev.medley.base.ConfigException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses addresses of databases that hold a password, however it is written: between marks of its
 * own, as a parameter, or encoded. The message shows nothing behind the scheme.
 */
public final class PlainUrl {
    private static final Pattern SCHEME = Pattern.compile("^(jdbc:)?[A-Za-z0-9]+:");

    /** Parameters whose names say that they are secret. */
    private static final Pattern PARAMETER =
            Pattern.compile(
                    "(?i)(pass|pwd|secret|token|credential|private_?key(?!_?file)|api_?key|access_?key)"
                        + "[\\w.-]*\\s*=");

    /** Oracle's thin driver has the mark without a user before it. */
    private static final Pattern ORACLE = Pattern.compile("^jdbc:oracle:\\w+:/?@");

    /** An account that is called as an address of mail is. */
    private static final Pattern ACCOUNT =
            Pattern.compile("[;?&][\\w.]+=[\\w.+-]+@[\\w.-]+(?=[;&]|$)");

    private PlainUrl() {}

    /** Throws a {@link ConfigException} if {@code url} holds what should be written nowhere. */
    public static void check(String url) {
        String text = decoded(url);
        String rest = ORACLE.matcher(text).replaceFirst("");
        rest = ACCOUNT.matcher(rest).replaceAll("");
        boolean holdsOne =
                PARAMETER.matcher(text).find() || rest.indexOf('@') >= 0 || hasNoPort(rest);
        ConfigException.check(
                !holdsOne,
                "url %s…: holds a user or a password: take it out, and name the user and where the"
                        + " password is beside it",
                scheme(text));
    }

    /** What comes before the place, for messages about an address that is not understood. */
    public static String scheme(String url) {
        Matcher matcher = SCHEME.matcher(url);
        return matcher.find() ? matcher.group() : "";
    }

    /** What is behind the first colon of a host is a port, or the password of a torn address. */
    private static boolean hasNoPort(String url) {
        int from = url.indexOf("//");
        if (from < 0 || url.startsWith("jdbc:sqlserver:") || url.startsWith("[", from + 2)) {
            return false;
        }
        String host = url.substring(from + 2).split("[/?;,(\\[]", 2)[0];
        int colon = host.indexOf(':');
        return colon >= 0 && !host.substring(colon + 1).matches("\\d*(:.*)?");
    }

    private static String decoded(String url) {
        try {
            return URLDecoder.decode(url.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return url; // Its marks of per cent are none.
        }
    }
}
