package dev.medley.plan.simulator.fabric;

import static dev.medley.base.ConfigException.check;

import dev.medley.profile.cluster.LinkPath;

/**
 * A link between two sites, in one direction.
 *
 * <p>A packet that is lost is sent again a round trip later, and TCP takes it for a sign to slow
 * down: one connection gets no more than
 *
 * <pre>
 *     MSS / RTT * sqrt(3 / (2 p))      Mathis, Semke, Mahdavi, Ott 1997 (CCR 27, 3), equation 3
 * </pre>
 *
 * of packets of MSS bytes of which a part p is lost at random. It is the law of Reno; Linux's CUBIC
 * gets more where round trips are long, by a quarter with 80 ms and p = 1e-4 (RFC 9438, 5.1).
 *
 * @param way latency and bandwidth
 * @param jitterNs standard deviation of a message's latency; 0 where all take as long
 * @param loss part of the packets that are lost, at random; 0 for none
 */
public record SimulatedLink(LinkPath way, double jitterNs, double loss) {
    static final double MSS_BYTES = 1448;

    private static final double MATHIS = Math.sqrt(1.5);
    private static final double NS_PER_SECOND = 1e9;

    public SimulatedLink {
        check(jitterNs >= 0, "jitter %s ns: not below 0", jitterNs);
        check(loss >= 0 && loss < 1, "loss %s: from 0 to below 1", loss);
    }

    /** A link on which nothing is lost or late. */
    public static SimulatedLink of(LinkPath way) {
        return new SimulatedLink(way, 0, 0);
    }

    /** Whether no two messages of a length differ. */
    boolean isCalm() {
        return jitterNs == 0 && loss == 0;
    }

    double roundTripNs() {
        return 2.0 * way.latencyNs();
    }

    /** What losses leave of one connection; infinite where nothing is lost. */
    double bytesPerSecondOfOne() {
        return loss == 0 || roundTripNs() == 0
                ? Double.POSITIVE_INFINITY
                : MSS_BYTES / (roundTripNs() / NS_PER_SECOND) * MATHIS / Math.sqrt(loss);
    }
}
