package dev.medley.control.simulator;

/**
 * One direction of a link or of a machine's connection. Messages follow each other in the order in
 * which they were given to it. What is given to it at once for several flows shares it evenly: it
 * is one message here, which ends when the last of them does.
 */
final class Pipe {
    /**
     * Of 1,500 bytes of an IP packet so many are the user's: 20 are IP's, 32 TCP's with time
     * stamps.
     */
    static final double PAYLOAD = 1448.0 / 1500;

    private static final double NS_PER_SECOND = 1e9;

    private final double nsPerByte;
    private double freeNs;
    private double bytes;

    Pipe(double bytesPerSecond) {
        nsPerByte = NS_PER_SECOND / (bytesPerSecond * PAYLOAD);
    }

    /** When the last byte has left that is given to it now. */
    double send(double nowNs, double length) {
        bytes += length;
        freeNs = Math.max(freeNs, nowNs) + length * nsPerByte;
        return freeNs;
    }

    /** The user's bytes so far. */
    double bytes() {
        return bytes;
    }
}
