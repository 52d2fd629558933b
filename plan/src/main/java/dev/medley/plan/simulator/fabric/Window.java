package dev.medley.plan.simulator.fabric;

/**
 * Limits the bytes that a connection between sites may have in flight at once, as TCP's window
 * does. It begins with ten packets (RFC 6928) and grows by what is acknowledged (slow start, RFC
 * 5681), so that it doubles in each round trip in which it is used up, until it fills the link.
 * While a connection is silent it is halved after each retransmission timeout, down to ten packets
 * (RFC 2861, as Linux has it: {@code net.ipv4.tcp_slow_start_after_idle}). So at each end of a
 * round, before which links were silent, it grows anew: 200 kB with 40 ms there and back take four
 * round trips.
 *
 * <p>All connections of a link have the same window here.
 */
final class Window {
    private static final double LEAST_BYTES = 10 * SimulatedLink.MSS_BYTES;

    /** Linux waits so long, beside the round trip, before it takes a packet for lost. */
    private static final double PATIENCE_NS = 200e6;

    private final double roundTripNs;
    private double bytes = LEAST_BYTES;
    private double flightNs = Double.NEGATIVE_INFINITY;
    private double flightBytes;
    private double lastNs = Double.NEGATIVE_INFINITY;

    Window(double roundTripNs) {
        this.roundTripNs = roundTripNs;
    }

    /**
     * When the last of so many bytes of one connection has left that begin to leave now.
     *
     * @param nsPerByte of one connection, once its window fills its part of the link
     */
    double send(double nowNs, double length, double nsPerByte) {
        double fullBytes = roundTripNs / nsPerByte;
        shrink(nowNs, fullBytes);
        double at = nowNs;
        double left = length;
        while (left > 0) {
            if (at >= flightNs + roundTripNs) {
                grow(fullBytes);
                flightNs = at;
            }
            double room = bytes >= fullBytes ? left : Math.max(0, bytes - flightBytes);
            double part = Math.min(left, room);
            at += part * nsPerByte;
            flightBytes += part;
            left -= part;
            if (left > 0) {
                at = Math.max(at, flightNs + roundTripNs);
            }
        }
        lastNs = at;
        return at;
    }

    /**
     * How much of the link what may leave at once fills, from 0 to 1, as a silence until now has
     * left it.
     *
     * @param nsPerByte as with {@link #send}
     */
    double filled(double nowNs, double nsPerByte) {
        double fullBytes = roundTripNs / nsPerByte;
        shrink(nowNs, fullBytes);
        return fullBytes > bytes ? bytes / fullBytes : 1;
    }

    /** The last flight is acknowledged; a window that was not needed does not grow. */
    private void grow(double fullBytes) {
        if (2 * flightBytes > bytes) {
            bytes = Math.max(LEAST_BYTES, Math.min(fullBytes, bytes + flightBytes));
        }
        flightBytes = 0;
    }

    private void shrink(double nowNs, double fullBytes) {
        double silentNs = nowNs - lastNs;
        if (silentNs <= timeoutNs()) {
            return;
        }
        grow(fullBytes);
        double timeouts = Math.ceil(silentNs / timeoutNs()) - 1;
        bytes = Math.max(LEAST_BYTES, bytes / Math.pow(2, timeouts));
        lastNs = nowNs;
    }

    private double timeoutNs() {
        return roundTripNs + PATIENCE_NS;
    }
}
