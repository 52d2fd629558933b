package dev.medley.control.simulator;

/**
 * One direction of a link or of a machine's connection. Messages follow each other in the order in
 * which they were given to it. What is given to it at once for several flows shares it evenly: it
 * is one message here, which ends when the last of them does.
 *
 * <p>TCP gets less out of a link with a long way than its rate: its window grows until packets are
 * lost and falls back, and after a pause it has to grow again. Both figures fit the sums between
 * two sites of benchmarks/results/2026-11-21-exchange-sites.md (1 MB in 123 ms, 16 MB in 1610 ms).
 */
final class Pipe {
    /**
     * Of 1,500 bytes of an IP packet so many are the user's: 20 are IP's, 32 TCP's with time
     * stamps.
     */
    private static final double PAYLOAD = 1448.0 / 1500;

    /** Part of a link between sites that windows keep filled. */
    private static final double FILLED = 0.87;

    /** After a pause the first bytes that fill a round trip take so many round trips more. */
    private static final double RAMP = 0.7;

    private static final double NS_PER_SECOND = 1e9;

    private final double nsPerByte;
    private final double roundTripNs;
    private double freeNs;
    private double rampBytes;
    private double bytes;

    private Pipe(double bytesPerSecond, double roundTripNs) {
        this.nsPerByte = NS_PER_SECOND / bytesPerSecond;
        this.roundTripNs = roundTripNs;
    }

    /** A machine's own connection to its site. */
    static Pipe ofMachine(double bytesPerSecond) {
        return new Pipe(bytesPerSecond * PAYLOAD, 0);
    }

    /** A link between sites that all their machines share. */
    static Pipe between(double bytesPerSecond, double latencyNs) {
        return new Pipe(bytesPerSecond * partBetweenSites(), 2 * latencyNs);
    }

    /** Part of a link between sites that is the user's, once windows have grown. */
    static double partBetweenSites() {
        return PAYLOAD * FILLED;
    }

    /** When the last byte has left that is given to it now. */
    double send(double nowNs, double length) {
        bytes += length;
        if (nowNs - freeNs > roundTripNs) {
            rampBytes = roundTripNs / nsPerByte;
        }
        double slow = Math.min(rampBytes, length);
        rampBytes -= slow;
        freeNs = Math.max(freeNs, nowNs) + (length + RAMP * slow) * nsPerByte;
        return freeNs;
    }

    /** The user's bytes so far. */
    double bytes() {
        return bytes;
    }
}
