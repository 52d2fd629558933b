package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

/**
 * Where and how long a run waits for machines that agents offer.
 *
 * @param listen HOST:PORT on which the coordinator accepts them; port 0 for any free one
 * @param timeoutNs longest wait until enough have joined
 * @param sendBytes most bytes of a prepared set, or of other files, that are sent to a machine
 *     which does not see them
 */
public record JoinSpec(String listen, long timeoutNs, long sendBytes) {
    private static final long TIMEOUT_NS = 600_000_000_000L;
    private static final long SEND_BYTES = 4L << 30;

    public JoinSpec {
        int colon = listen.lastIndexOf(':');
        check(
                colon > 0 && isPort(listen.substring(colon + 1)),
                "cluster.listen=%s: HOST:PORT is needed, as in 0.0.0.0:7077",
                listen);
        check(timeoutNs > 0, "cluster.join_timeout=%d ns: above 0", timeoutNs);
        check(sendBytes >= 0, "cluster.send=%d bytes: 0 or more", sendBytes);
    }

    /** At that address, with the usual patience: 10 minutes, 4 GiB. */
    public static JoinSpec at(String listen) {
        return new JoinSpec(listen, TIMEOUT_NS, SEND_BYTES);
    }

    /** The part before the port. */
    public String host() {
        String host = listen.substring(0, listen.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The port. */
    public int port() {
        return Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
    }

    private static boolean isPort(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) < 65536;
    }
}
