package dev.medley.base;

import static dev.medley.base.ConfigException.check;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The order of a ring and the figures for a tree that a group's sums take from its members'
 * measurements. The order of additions depends on them, so they are part of the plan and of its
 * record, and a repeated run takes them from there.
 *
 * @param ring each rank once, in the order of a ring; empty for the usual one, site after site and
 *     by rank
 * @param insideLatencyNs between two ranks of the only site, in one direction; 0 where no tree may
 *     be chosen
 * @param insideBytesPerSecond into or out of one rank of it; 0 where no tree may be chosen
 * @param why one sentence for the user
 */
public record MeasuredRoute(
        List<Integer> ring, long insideLatencyNs, long insideBytesPerSecond, String why) {
    /** As if nothing had been measured. */
    public static final MeasuredRoute NONE =
            new MeasuredRoute(
                    List.of(), 0, 0, "the usual order: nothing measured speaks against it");

    public MeasuredRoute {
        ring = List.copyOf(ring);
        check(isPermutation(ring), "ring %s: name each rank from 0 on once", ring);
        check(
                (insideLatencyNs > 0) == (insideBytesPerSecond > 0),
                "%d ns and %d bytes per second inside a site: both above 0, or both 0",
                insideLatencyNs,
                insideBytesPerSecond);
    }

    private static boolean isPermutation(List<Integer> ring) {
        List<Integer> sorted = ring.stream().sorted().toList();
        return sorted.equals(IntStream.range(0, ring.size()).boxed().toList());
    }

    /** Whether small slices may go by a tree where that is cheapest by these figures. */
    public boolean hasFigures() {
        return insideLatencyNs > 0;
    }

    /** Whether sums are added in the order of every group of that size. */
    public boolean isUsual() {
        return ring.isEmpty() && !hasFigures();
    }
}
