package dev.medley.training.server;

import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Cuts the flat parameters among servers where every site has servers for all of them. The
 * parameters are cut over the sites, each of which is the home of a stretch; each home's stretch is
 * cut over the servers of every site. So each server of a site has the same part of what is at home
 * there as of what is not.
 */
final class SiteCut {
    private SiteCut() {}

    /**
     * A stretch with one server at every site. That of its home moves its parameters, those of the
     * others forward to it what their workers push.
     *
     * @param home number of a site
     * @param servers ranks, in order of the sites
     */
    record Cell(int home, Stretches.Stretch stretch, List<Integer> servers) {
        /** The rank that moves its parameters. */
        int owner() {
            return servers.get(home);
        }
    }

    /**
     * All cells, in order of their elements; none is empty.
     *
     * @param weights by rank, none below 0: within a site its servers' parts are in proportion to
     *     them, between sites their sums are the parts that are at home there. At each site one is
     *     above 0
     */
    static List<Cell> of(long elements, SiteMap sites, List<Double> weights) {
        List<Double> homes =
                IntStream.range(0, sites.sites())
                        .mapToObj(site -> sum(weights(sites, site, weights)))
                        .toList();
        ParameterCut cut = ParameterCut.of(elements, homes);
        List<Cell> cells = new ArrayList<>();
        for (int home = 0; home < sites.sites(); home++) {
            List<ParameterCut> bySite = new ArrayList<>();
            for (int site = 0; site < sites.sites(); site++) {
                bySite.add(ParameterCut.of(cut.count(home), weights(sites, site, weights)));
            }
            addCells(cells, home, cut.from(home), bySite, sites);
        }
        return cells;
    }

    private static void addCells(
            List<Cell> cells, int home, long first, List<ParameterCut> bySite, SiteMap sites) {
        SortedSet<Long> borders = new TreeSet<>();
        for (int site = 0; site < bySite.size(); site++) {
            for (int i = 0; i < sites.at(site).size(); i++) {
                borders.add(bySite.get(site).from(i));
                borders.add(bySite.get(site).to(i));
            }
        }
        long from = borders.first();
        for (long to : borders.tailSet(from + 1)) {
            long begin = from;
            List<Integer> servers =
                    IntStream.range(0, bySite.size())
                            .mapToObj(site -> holder(bySite.get(site), sites.at(site), begin))
                            .toList();
            cells.add(new Cell(home, new Stretches.Stretch(first + from, first + to), servers));
            from = to;
        }
    }

    private static int holder(ParameterCut cut, List<Integer> ranks, long element) {
        return IntStream.range(0, ranks.size())
                .filter(i -> cut.from(i) <= element && element < cut.to(i))
                .mapToObj(ranks::get)
                .findFirst()
                .orElseThrow();
    }

    private static List<Double> weights(SiteMap sites, int site, List<Double> weights) {
        return sites.at(site).stream().map(weights::get).toList();
    }

    private static double sum(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }
}
