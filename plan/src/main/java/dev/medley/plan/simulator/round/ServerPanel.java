package dev.medley.plan.simulator.round;

import dev.medley.base.route.SiteMap;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Groups the machines of each site that serve the same part of the parameters. Each site has one
 * server in it, or several neighbours where a site has more machines than there are panels. In a
 * run borders of parts of two sites need not match; here they do.
 */
final class ServerPanel {
    /** More of them would change little, and take as much longer to simulate. */
    private static final int MOST_PANELS = 4;

    private final List<List<Integer>> bySite;
    private final double part;

    private ServerPanel(List<List<Integer>> bySite, double part) {
        this.bySite = bySite;
        this.part = part;
    }

    /** As many as the smallest site has machines, four at most, with equal parts. */
    static List<ServerPanel> panels(SiteMap sites) {
        int least = sites.ranks().stream().mapToInt(List::size).min().orElseThrow();
        int panels = Math.min(MOST_PANELS, least);
        return IntStream.range(0, panels)
                .mapToObj(
                        panel ->
                                new ServerPanel(
                                        sites.ranks().stream()
                                                .map(ranks -> cut(ranks, panel, panels))
                                                .toList(),
                                        1.0 / panels))
                .toList();
    }

    private static List<Integer> cut(List<Integer> ranks, int panel, int panels) {
        int from = panel * ranks.size() / panels;
        int to = (panel + 1) * ranks.size() / panels;
        return List.copyOf(ranks.subList(from, to));
    }

    /** Ranks at a site. */
    List<Integer> at(int site) {
        return bySite.get(site);
    }

    /** Servers at a site but for this rank. */
    int others(int site, int rank) {
        return bySite.get(site).size() - (bySite.get(site).contains(rank) ? 1 : 0);
    }

    /** Of the parameters. */
    double part() {
        return part;
    }
}
