package dev.medley.base.route;

import dev.medley.base.ConfigException;

/**
 * What links can do, as far as a choice between schemes needs it. One way, not round trip.
 *
 * @param insideLatencyNs between two ranks of one site
 * @param insideBytesPerSecond into or out of one rank
 * @param betweenLatencyNs between two sites, the slowest pair
 * @param betweenBytesPerSecond out of one site to all others, shared by its ranks
 * @param latencies where the latencies come from; the bandwidths are assumed or set
 */
public record LinkFigures(
        long insideLatencyNs,
        long insideBytesPerSecond,
        long betweenLatencyNs,
        long betweenBytesPerSecond,
        Origin latencies) {
    private static final long NS_PER_US = 1_000;

    /** Where figures come from. */
    public enum Origin {
        ASSUMED,
        MEASURED
    }

    public LinkFigures {
        ConfigException.check(
                insideBytesPerSecond > 0 && betweenBytesPerSecond > 0,
                "bandwidths %d and %d: above 0 bytes per second",
                insideBytesPerSecond,
                betweenBytesPerSecond);
    }

    /**
     * Where nothing was measured: 1 Gbit/s and 200 us inside a site, 100 Mbit/s and 20 ms between
     * sites. They stand on the careful side: a better link makes every scheme faster, a worse one
     * would punish the wrong choice.
     */
    public static LinkFigures assumed() {
        return new LinkFigures(
                200 * NS_PER_US, 125_000_000, 20_000 * NS_PER_US, 12_500_000, Origin.ASSUMED);
    }

    /** The same links with that many bytes per second between sites: a thinner or wider border. */
    public LinkFigures betweenAt(long bytesPerSecond) {
        return new LinkFigures(
                insideLatencyNs, insideBytesPerSecond, betweenLatencyNs, bytesPerSecond, latencies);
    }

    /** The same with latencies that were measured. */
    public LinkFigures measuring(long insideNs, long betweenNs) {
        return new LinkFigures(
                insideNs, insideBytesPerSecond, betweenNs, betweenBytesPerSecond, Origin.MEASURED);
    }
}
