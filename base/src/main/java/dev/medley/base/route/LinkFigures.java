package dev.medley.base.route;

import dev.medley.base.ConfigException;
import java.util.OptionalLong;

/**
 * The latencies and bandwidths of links that a choice between schemes needs, in one direction.
 *
 * @param insideLatencyNs between two ranks of one site
 * @param insideBytesPerSecond into or out of one rank
 * @param betweenLatencyNs between two sites, the slowest pair
 * @param betweenBytesPerSecond out of one site to all others, shared by its ranks
 * @param latencies where the latencies come from
 * @param bandwidths where the bandwidths come from
 */
public record LinkFigures(
        long insideLatencyNs,
        long insideBytesPerSecond,
        long betweenLatencyNs,
        long betweenBytesPerSecond,
        Origin latencies,
        Origin bandwidths) {
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
                200 * NS_PER_US,
                125_000_000,
                20_000 * NS_PER_US,
                12_500_000,
                Origin.ASSUMED,
                Origin.ASSUMED);
    }

    /** The same links with that many bytes per second between sites: a thinner or wider border. */
    public LinkFigures betweenAt(long bytesPerSecond) {
        return between(betweenLatencyNs, bytesPerSecond);
    }

    /** The same with another border: one way, and out of one site. */
    public LinkFigures between(long latencyNs, long bytesPerSecond) {
        return new LinkFigures(
                insideLatencyNs,
                insideBytesPerSecond,
                latencyNs,
                bytesPerSecond,
                latencies,
                bandwidths);
    }

    /** The same with latencies that were measured. */
    public LinkFigures measuring(long insideNs, long betweenNs) {
        return new LinkFigures(
                insideNs,
                insideBytesPerSecond,
                betweenNs,
                betweenBytesPerSecond,
                Origin.MEASURED,
                bandwidths);
    }

    /**
     * The same with bandwidths that were measured, rounded down to powers of two: what differs from
     * run to run by noise is to change a choice as seldom as can be.
     *
     * @param inside empty where nothing was measured: then it stays
     * @param between the same
     */
    public LinkFigures carrying(OptionalLong inside, OptionalLong between) {
        return new LinkFigures(
                insideLatencyNs,
                inside.isPresent() ? Long.highestOneBit(inside.getAsLong()) : insideBytesPerSecond,
                betweenLatencyNs,
                between.isPresent()
                        ? Long.highestOneBit(between.getAsLong())
                        : betweenBytesPerSecond,
                latencies,
                between.isPresent() ? Origin.MEASURED : bandwidths);
    }
}
