package dev.medley.record.metrics;

import static dev.medley.base.ConfigException.check;

/**
 * The address at which a run's live figures are served, and what is served there.
 *
 * @param host name or address to listen on; whoever reaches it sees the run
 * @param port to listen on; 0 for any free one
 * @param page whether the run's page is served too, which follows the run
 */
public record Serving(String host, int port, boolean page) {
    /** This machine alone. */
    public static final String LOOPBACK = "127.0.0.1";

    public Serving {
        check(
                port >= 0 && port <= 65535,
                "--metrics %s: a port is a number from 0 (any free one) to 65535",
                port);
        check(!host.isBlank(), "--metrics :%s: HOST:PORT is needed, or a port alone", port);
    }

    /**
     * Of {@code PORT}, on the loopback, or {@code HOST:PORT}; IPv6 addresses in brackets. Figures
     * alone are served there.
     */
    public static Serving parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        check(
                port.matches("\\d{1,5}"),
                "--metrics %s: a port is needed, or HOST:PORT, as in 9100 or 0.0.0.0:9100",
                text);
        String host = colon < 0 ? LOOPBACK : text.substring(0, colon);
        check(
                !host.contains(":") || host.matches("\\[[^\\[\\]]+\\]"),
                "--metrics %s: an IPv6 address is written in brackets, as in [::1]:9100",
                text);
        return new Serving(host.replaceAll("[\\[\\]]", ""), Integer.parseInt(port), false);
    }

    /** The same with the run's page. */
    public Serving withPage() {
        return new Serving(host, port, true);
    }

    /** The run's page, and figures, on any free port of this machine alone. */
    public static Serving live() {
        return new Serving(LOOPBACK, 0, true);
    }
}
