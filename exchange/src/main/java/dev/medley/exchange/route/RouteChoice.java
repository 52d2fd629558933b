package dev.medley.exchange.route;

import dev.medley.base.MeasuredRoute;
import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.route.SiteSchemes;
import dev.medley.base.route.TreeHop;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the order of a group's rings from measured links, and whether small slices go by a tree.
 * These change the order of additions. The choice is a pure function of what all ranks know alike.
 * A run that wants the same bits again repeats an earlier choice.
 *
 * <p>Bits that change by noise from run to run are a nuisance: so another ring than the usual one
 * has to be {@value #LEAST_GAIN} times as fast at its slowest link, paths that were not measured
 * count as the slowest that was, and figures for a tree are rounded down to powers of two.
 */
public final class RouteChoice {
    private static final double LEAST_GAIN = 1.5;
    private static final double MEGABYTE = 1e6;
    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;
    private static final int FEWEST_IN_ANOTHER_ORDER = 3;
    private static final int LEAST_BYTES = 64;

    private final SiteMap sites;
    private final LinkSurvey survey;
    private final List<List<Long>> roundTripsUs;
    private final List<String> why = new ArrayList<>();

    private RouteChoice(SiteMap sites, LinkSurvey survey) {
        this.sites = sites;
        this.survey = survey;
        this.roundTripsUs = LinkSurvey.machineTrips(survey.machines(), survey.roundTrips());
    }

    /**
     * The route of a group.
     *
     * @param survey of the paths between its machines
     * @param directBytes longer slices go by no tree
     * @return {@link MeasuredRoute#NONE} where the usual order stays
     */
    public static MeasuredRoute of(SiteMap sites, LinkSurvey survey, int directBytes) {
        RouteChoice choice = new RouteChoice(sites, survey);
        List<Integer> ring = choice.ring();
        LinkFigures tree = choice.figuresForTree(directBytes);
        if (ring.isEmpty() && tree == null) {
            return MeasuredRoute.NONE;
        }
        return new MeasuredRoute(
                ring,
                tree == null ? 0 : tree.insideLatencyNs(),
                tree == null ? 0 : tree.insideBytesPerSecond(),
                String.join("; ", choice.why));
    }

    /** The figures by which slices of one site are summed where they may go by a tree. */
    public static LinkFigures figures(MeasuredRoute route) {
        LinkFigures assumed = LinkFigures.assumed();
        return new LinkFigures(
                route.insideLatencyNs(),
                route.insideBytesPerSecond(),
                assumed.betweenLatencyNs(),
                assumed.betweenBytesPerSecond(),
                LinkFigures.Origin.MEASURED,
                LinkFigures.Origin.MEASURED);
    }

    // ---- The ring

    /** Site after site, each by its own links; empty where every site keeps the order of ranks. */
    private List<Integer> ring() {
        List<Integer> ring = new ArrayList<>();
        for (int site = 0; site < sites.sites(); site++) {
            ring.addAll(ringAt(site));
        }
        return ring.equals(RingOrder.bySite(sites).ranks()) ? List.of() : ring;
    }

    private List<Integer> ringAt(int site) {
        List<Integer> ranks = sites.at(site);
        List<Integer> here =
                ranks.stream().map(survey.machines().machineOf()::get).distinct().toList();
        double slowestNs = slowestNs(here);
        if (here.size() < FEWEST_IN_ANOTHER_ORDER || slowestNs == 0) {
            return ranks;
        }
        double[][] costs = costs(here, slowestNs);
        List<Integer> order = RingOrder.byCost(costs).ranks();
        double bestNs = RingOrder.bottleneck(order, costs);
        double usualNs = usualNs(ranks, here, costs);
        if (usualNs < LEAST_GAIN * bestNs) {
            return ranks;
        }
        List<Integer> ring =
                order.stream()
                        .map(here::get)
                        .flatMap(machine -> survey.machines().ranksOn(machine).stream())
                        .toList();
        why.add(
                String.format(
                        Locale.ROOT,
                        "rings go through ranks %s: a megabyte over the slowest link of theirs"
                                + " takes %.1f ms, by rank %.1f ms",
                        ring,
                        bestNs / NS_PER_MS,
                        usualNs / NS_PER_MS));
        return ring;
    }

    /** For each two machines, from row to column, what a megabyte takes. */
    private double[][] costs(List<Integer> here, double unknownNs) {
        double[][] costs = new double[here.size()][here.size()];
        for (int from = 0; from < here.size(); from++) {
            for (int to = 0; to < here.size(); to++) {
                double measured = megabyteNs(here.get(from), here.get(to));
                costs[from][to] = from == to ? 0 : measured == 0 ? unknownNs : measured;
            }
        }
        return costs;
    }

    /** The dearest link of a ring by rank; within a machine links cost nothing. */
    private double usualNs(List<Integer> ranks, List<Integer> here, double[][] costs) {
        List<Integer> machines =
                ranks.stream()
                        .map(rank -> here.indexOf(survey.machines().machineOf().get(rank)))
                        .toList();
        double dearest = 0;
        for (int i = 0; i < machines.size(); i++) {
            int next = machines.get((i + 1) % machines.size());
            dearest = Math.max(dearest, costs[machines.get(i)][next]);
        }
        return dearest;
    }

    private double slowestNs(List<Integer> here) {
        return here.stream()
                .flatMapToDouble(from -> here.stream().mapToDouble(to -> megabyteNs(from, to)))
                .max()
                .orElse(0);
    }

    /** The time of a megabyte from one machine to another; 0 where nobody measured. */
    private double megabyteNs(int from, int to) {
        long rate = from == to ? 0 : survey.rates().rate(from, to);
        return rate == 0
                ? 0
                : MEGABYTE / rate * NS_PER_SECOND + roundTripsUs.get(from).get(to) * NS_PER_US / 2;
    }

    // ---- The tree

    /** Null where no slice would go by a tree, or nobody measured what it rests on. */
    private @Nullable LinkFigures figuresForTree(int directBytes) {
        List<Integer> atOne = survey.machines().keys().stream().map(key -> 0).toList();
        if (sites.sites() > 1 || survey.rates().slowestInside(atOne).isEmpty()) {
            return null;
        }
        LinkFigures exact = survey.figures(sites, LinkFigures.assumed());
        LinkFigures figures =
                exact.measuring(
                        Long.highestOneBit(Math.max(1, exact.insideLatencyNs())),
                        exact.betweenLatencyNs());
        long[] byTree =
                IntStream.iterate(LEAST_BYTES, bytes -> bytes <= directBytes, bytes -> 2 * bytes)
                        .filter(bytes -> isByTree(bytes, directBytes, figures))
                        .asLongStream()
                        .toArray();
        if (byTree.length == 0) {
            return null;
        }
        why.add(
                String.format(
                        Locale.ROOT,
                        "slices of about %d to %d bytes go by a tree: %d hops of %.2f ms and more,"
                                + " measured, and few messages for %d ranks",
                        byTree[0],
                        byTree[byTree.length - 1],
                        TreeHop.inRow(sites.size()),
                        figures.insideLatencyNs() / NS_PER_MS,
                        sites.size()));
        return figures;
    }

    private boolean isByTree(long bytes, int directBytes, LinkFigures figures) {
        var allowed = SiteSchemes.withTree(bytes, sites.size(), directBytes);
        return Choice.of(bytes, sites, figures, allowed).scheme() == Scheme.TREE;
    }
}
