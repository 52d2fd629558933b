package dev.medley.exchange.route;

import dev.medley.base.MeasuredRoute;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The order in which a ring goes through the ranks. A ring is as fast as its slowest link, and a
 * border between sites carries what crosses it once for every crossing: so a ring enters and leaves
 * each site once.
 *
 * @param ranks each rank once, in the order of the ring
 * @param why one sentence
 */
public record RingOrder(List<Integer> ranks, String why) {
    private static final int MOST_EXACT = 10;

    public RingOrder {
        ranks = List.copyOf(ranks);
    }

    /** Site after site, and by rank within a site; with one site the order of ranks. */
    public static RingOrder bySite(SiteMap sites) {
        List<Integer> order = sites.ranks().stream().flatMap(List::stream).toList();
        return new RingOrder(
                order,
                sites.sites() == 1
                        ? "by rank: all stand together"
                        : "site after site: each of %d borders is crossed once"
                                .formatted(sites.sites()));
    }

    /** The order that was agreed on, or that of sites where it is the usual one. */
    public static RingOrder of(SiteMap sites, MeasuredRoute route) {
        return route.ring().isEmpty() ? bySite(sites) : new RingOrder(route.ring(), route.why());
    }

    /** The ring of some ranks alone, one after the other as in this one. */
    public RingOrder among(Collection<Integer> some) {
        return new RingOrder(ranks.stream().filter(some::contains).toList(), why);
    }

    /**
     * The order whose dearest link is cheapest, from rank 0. Exact up to ten ranks (dynamic
     * programming over sets of ranks, Held and Karp 1962, with the maximum in place of the sum);
     * above, the nearest neighbour improved by turning stretches round (2-opt).
     *
     * @param costs of the link from one rank to another, for example nanoseconds for a megabyte
     */
    public static RingOrder byCost(double[][] costs) {
        boolean isExact = costs.length <= MOST_EXACT;
        List<Integer> order = isExact ? exact(costs) : improved(nearest(costs), costs);
        return new RingOrder(
                order,
                "by measured links: the dearest of the ring costs %.4g, %s"
                        .formatted(
                                bottleneck(order, costs),
                                isExact
                                        ? "and no order has a cheaper one"
                                        : "and turning no stretch round helps"));
    }

    /** Where a rank stands in the ring, from 0. */
    public int place(int rank) {
        return ranks.indexOf(rank);
    }

    /** The rank that many places after {@code rank}. */
    public int after(int rank, int places) {
        return ranks.get(Math.floorMod(place(rank) + places, ranks.size()));
    }

    /** The cost of the dearest link of a ring. */
    static double bottleneck(List<Integer> order, double[][] costs) {
        double dearest = 0;
        for (int i = 0; i < order.size(); i++) {
            int next = order.get((i + 1) % order.size());
            dearest = Math.max(dearest, order.get(i) == next ? 0 : costs[order.get(i)][next]);
        }
        return dearest;
    }

    /** best[set][last]: the dearest link of the best way from 0 through the set to last. */
    private static List<Integer> exact(double[][] costs) {
        int ranks = costs.length;
        double[][] best = new double[1 << ranks][ranks];
        int[][] before = new int[1 << ranks][ranks];
        for (double[] row : best) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        best[1][0] = 0;
        for (int set = 1; set < 1 << ranks; set += 2) {
            for (int last = 0; last < ranks; last++) {
                for (int next = 1; next < ranks; next++) {
                    double way = Math.max(best[set][last], last == next ? 0 : costs[last][next]);
                    int more = set | 1 << next;
                    if (more != set && way < best[more][next]) {
                        best[more][next] = way;
                        before[more][next] = last;
                    }
                }
            }
        }
        return wayBack(best, before, costs);
    }

    private static List<Integer> wayBack(double[][] best, int[][] before, double[][] costs) {
        int ranks = costs.length;
        int set = (1 << ranks) - 1;
        int last = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int end = ranks == 1 ? 0 : 1; end < ranks; end++) {
            double round = Math.max(best[set][end], end == 0 ? 0 : costs[end][0]);
            if (round < least) {
                least = round;
                last = end;
            }
        }
        List<Integer> order = new ArrayList<>();
        while (set != 0) {
            order.add(last);
            int previous = before[set][last];
            set &= ~(1 << last);
            last = previous;
        }
        Collections.reverse(order);
        return order;
    }

    private static List<Integer> nearest(double[][] costs) {
        List<Integer> order = new ArrayList<>(List.of(0));
        List<Integer> left = new ArrayList<>(IntStream.range(1, costs.length).boxed().toList());
        while (!left.isEmpty()) {
            int last = order.get(order.size() - 1);
            Integer next = left.get(0);
            for (Integer candidate : left) {
                next = costs[last][candidate] < costs[last][next] ? candidate : next;
            }
            order.add(next);
            left.remove(next);
        }
        return order;
    }

    /** Turns stretches round while that makes the dearest link cheaper, or all links together. */
    private static List<Integer> improved(List<Integer> order, double[][] costs) {
        List<Integer> best = order;
        boolean isBetter = true;
        while (isBetter) {
            isBetter = false;
            for (int from = 1; from < order.size() - 1; from++) {
                for (int to = from + 1; to < order.size(); to++) {
                    List<Integer> turned = new ArrayList<>(best);
                    Collections.reverse(turned.subList(from, to + 1));
                    if (isCheaper(turned, best, costs)) {
                        best = turned;
                        isBetter = true;
                    }
                }
            }
        }
        return best;
    }

    /** What differs by less than measuring does is alike; then less in total counts. */
    private static boolean isCheaper(List<Integer> one, List<Integer> other, double[][] costs) {
        long a = fivePerCents(bottleneck(one, costs));
        long b = fivePerCents(bottleneck(other, costs));
        return a < b || a == b && total(one, costs) < total(other, costs) * (1 - 1e-12);
    }

    private static long fivePerCents(double cost) {
        // Strict: all ranks must come to the same order, whatever their processors.
        return Math.round(StrictMath.log(Math.max(cost, Double.MIN_NORMAL)) / StrictMath.log(1.05));
    }

    private static double total(List<Integer> order, double[][] costs) {
        double sum = 0;
        for (int i = 0; i < order.size(); i++) {
            sum += costs[order.get(i)][order.get((i + 1) % order.size())];
        }
        return sum;
    }
}
