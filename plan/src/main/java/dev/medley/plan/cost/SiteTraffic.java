package dev.medley.plan.cost;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The bytes that each site sends to each other site.
 *
 * @param bytes row i holds those that leave site i, by the site that they go to; none to itself
 */
public record SiteTraffic(List<List<Double>> bytes) {
    public SiteTraffic {
        bytes = bytes.stream().map(List::copyOf).toList();
    }

    /** What goes from one site to another. */
    @FunctionalInterface
    public interface Link {
        /** Bytes on it. */
        double bytes(int from, int to);
    }

    /** What each link carries. */
    public static SiteTraffic of(int sites, Link link) {
        return new SiteTraffic(
                IntStream.range(0, sites)
                        .mapToObj(
                                from ->
                                        IntStream.range(0, sites)
                                                .mapToObj(
                                                        to ->
                                                                from == to
                                                                        ? 0.0
                                                                        : link.bytes(from, to))
                                                .toList())
                        .toList());
    }

    /** As much on each link. */
    public static SiteTraffic evenly(int sites, double total) {
        double links = (double) sites * (sites - 1);
        return of(sites, (from, to) -> total / links);
    }

    /** Both together. */
    public SiteTraffic plus(SiteTraffic other) {
        return of(bytes.size(), (from, to) -> at(from, to) + other.at(from, to));
    }

    /** So many times as much. */
    public SiteTraffic times(double factor) {
        return of(bytes.size(), (from, to) -> at(from, to) * factor);
    }

    /** From one site to another. */
    public double at(int from, int to) {
        return bytes.get(from).get(to);
    }

    /** What leaves a site. */
    double leaving(int site) {
        return bytes.get(site).stream().mapToDouble(b -> b).sum();
    }

    /** The most that leaves a site. */
    public double mostLeaving() {
        return IntStream.range(0, bytes.size()).mapToDouble(this::leaving).max().orElse(0);
    }

    /** All links together. */
    public double total() {
        return IntStream.range(0, bytes.size()).mapToDouble(this::leaving).sum();
    }
}
