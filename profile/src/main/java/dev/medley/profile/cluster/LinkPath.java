package dev.medley.profile.cluster;

import static dev.medley.base.ConfigException.check;

/**
 * The path from one machine to another; the path back may differ.
 *
 * @param latencyNs of a small message, one way: half of the shortest round trip
 * @param bytesPerSecond that one stream gets through while nothing else is under way
 * @param origin of the figures
 * @param spread the highest bandwidth over the lowest, of those that were measured; 1 where it was
 *     measured once or not at all
 */
public record LinkPath(long latencyNs, double bytesPerSecond, Origin origin, double spread) {
    private static final long NS_PER_US = 1_000;
    private static final double NS_PER_SECOND = 1e9;

    public LinkPath {
        check(latencyNs >= 0, "latency %d ns: not below 0", latencyNs);
        check(bytesPerSecond > 0, "bandwidth %s bytes per second: above 0", bytesPerSecond);
        check(spread >= 1, "spread %s: 1 or more", spread);
    }

    /** Measured once, or not at all. */
    public LinkPath(long latencyNs, double bytesPerSecond, Origin origin) {
        this(latencyNs, bytesPerSecond, origin, 1);
    }

    /**
     * Two measurements of one way together: what disturbs a probe makes it slower, so the faster
     * counts, and the spread says how far apart they are. A way that was not measured twice is that
     * which was.
     */
    public LinkPath and(LinkPath other) {
        if (origin != Origin.MEASURED || other.origin != Origin.MEASURED) {
            return origin == Origin.MEASURED ? this : other;
        }
        double most = Math.max(bytesPerSecond, other.bytesPerSecond);
        double least = Math.min(bytesPerSecond / spread, other.bytesPerSecond / other.spread);
        return new LinkPath(
                Math.min(latencyNs, other.latencyNs), most, Origin.MEASURED, most / least);
    }

    /** Within a site, where nothing was measured: 1 Gbit/s and 200 us. */
    public static LinkPath assumedInside() {
        return new LinkPath(200 * NS_PER_US, 125e6, Origin.ASSUMED);
    }

    /**
     * From one process to another of the same machine, over TCP: 16 Gbit/s and 50 us, as in
     * benchmarks/results/2026-11-21-exchange.md. Nobody measures it in a run.
     */
    public static LinkPath onOneMachine() {
        return new LinkPath(50 * NS_PER_US, 2e9, Origin.KEPT);
    }

    /** Between sites, where nothing was measured: 100 Mbit/s and 20 ms. */
    public static LinkPath assumedBetween() {
        return new LinkPath(20_000 * NS_PER_US, 12.5e6, Origin.ASSUMED);
    }

    /** Time until the last of so many bytes is there. */
    public double predictNs(double bytes) {
        return latencyNs + bytes / bytesPerSecond * NS_PER_SECOND;
    }
}
