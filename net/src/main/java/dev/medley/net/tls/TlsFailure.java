package dev.medley.net.tls;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains a failure of TLS to the user who started the two sides. */
public final class TlsFailure {
    private static final String ALERT = "Received fatal alert: ";

    /** What the other side says of a certificate that it does not take. */
    private static final Set<String> OF_CERTIFICATE =
            Set.of(
                    "bad_certificate",
                    "unsupported_certificate",
                    "certificate_revoked",
                    "certificate_expired",
                    "certificate_unknown",
                    "unknown_ca",
                    "access_denied");

    private TlsFailure() {}

    /**
     * Whether the failure is one of settings: trying again cannot help before somebody changes
     * something. A connection that just ended is none.
     */
    public static boolean isLasting(IOException failure) {
        return failure instanceof SSLException && !hasEnded(failure);
    }

    /**
     * One sentence for the user.
     *
     * @param peer the other side as the user knows it
     * @param failure of the handshake, or of the first read after it: the side that dials hears
     *     only then that it was refused
     */
    public static String sentence(String peer, IOException failure) {
        ClusterTrust.Refused refused = refused(failure);
        String said = String.valueOf(failure.getMessage());
        if (refused != null) {
            return "%s was refused: %s".formatted(peer, refused.getMessage());
        }
        if (said.contains(ALERT)) {
            return ofAlert(peer, said.substring(said.indexOf(ALERT) + ALERT.length()).strip());
        }
        if (said.contains("Empty client certificate chain")) {
            return "%s was refused: it showed no certificate".formatted(peer);
        }
        if (isNoTls(said)) {
            return "%s speaks no TLS, and this side does: give both sides credentials, or neither"
                    .formatted(peer);
        }
        if (hasEnded(failure)) {
            return ("%s ended the connection in the TLS handshake: it may have no credentials, or"
                            + " not be Medley")
                    .formatted(peer);
        }
        return "TLS with %s failed: %s".formatted(peer, said);
    }

    private static String ofAlert(String peer, String alert) {
        if (OF_CERTIFICATE.contains(alert)) {
            return ("%s refused this machine's certificate: there it is of another cluster's"
                            + " authority, or out of date by the clock there; its log says which")
                    .formatted(peer);
        }
        if (alert.equals("certificate_required")) {
            return "%s refused this machine: it showed no certificate".formatted(peer);
        }
        if (alert.equals("protocol_version")) {
            return "%s does not speak TLS 1.3, and Medley speaks nothing older".formatted(peer);
        }
        return "%s ended TLS: %s".formatted(peer, alert.replace('_', ' '));
    }

    private static boolean isNoTls(String said) {
        return said.contains("nrecognized SSL message")
                || said.contains("Unrecognized record version")
                || said.contains("not an SSL/TLS record");
    }

    private static boolean hasEnded(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof EOFException || t instanceof SocketException) {
                return true;
            }
        }
        return false;
    }

    private static ClusterTrust.@Nullable Refused refused(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof ClusterTrust.Refused found) {
                return found;
            }
        }
        return null;
    }
}
