package dev.medley.exchange.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The sites found by latency where nobody declared any: machines that are near each other and far
 * from the others.
 *
 * <p>Single-linkage clustering (Sneath 1957; Kruskal's forest): machines are joined in the order of
 * their round trips, and where the next join is {@value #LEAST_RATIO} times as long as the last and
 * {@value #LEAST_APART_MS} ms longer, joining stops: each component so far is a site. If there is
 * no such gap, all stand at one. The widest gap counts, in ratio. A join that is shorter than
 * {@value #NEAREST_US} us counts as that long, and the first, before which there is none, is
 * compared with 1 ms, so that a group of two machines has two sites only if they are truly apart.
 *
 * @param siteOf each machine's site, numbered in the order of machines
 * @param why one sentence
 */
public record FoundSites(List<Integer> siteOf, String why) {
    private static final double LEAST_RATIO = 4;
    private static final double LEAST_APART_MS = 1;
    private static final double NEAREST_US = 250;
    private static final double US_PER_MS = 1000;

    public FoundSites {
        siteOf = List.copyOf(siteOf);
    }

    /** Number of sites. */
    public int count() {
        return siteOf.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    }

    /**
     * The sites of machines.
     *
     * @param us round trips between machines in microseconds, row by row; of the two directions the
     *     shorter counts
     */
    public static FoundSites of(List<List<Long>> us) {
        int size = us.size();
        List<Double> joins = joins(us);
        double inside = 0;
        double between = 0;
        double widest = 0;
        for (int i = 0; i < joins.size(); i++) {
            double shorter = i == 0 ? US_PER_MS : Math.max(joins.get(i - 1), NEAREST_US);
            double longer = joins.get(i);
            double ratio = longer / shorter;
            boolean isApart = longer - shorter >= LEAST_APART_MS * US_PER_MS;
            if (isApart && ratio >= LEAST_RATIO && ratio > widest) {
                inside = shorter;
                between = longer;
                widest = ratio;
            }
        }
        if (widest == 0) {
            return new FoundSites(
                    new ArrayList<>(java.util.Collections.nCopies(size, 0)),
                    "one site: no gap in the round trips of %d machines".formatted(size));
        }
        List<Integer> siteOf = components(us, inside);
        FoundSites found = new FoundSites(siteOf, "");
        return new FoundSites(
                siteOf,
                String.format(
                        Locale.ROOT,
                        "%d sites by latency: round trips of up to %.1f ms inside, from %.1f ms"
                                + " between",
                        found.count(),
                        inside / US_PER_MS,
                        between / US_PER_MS));
    }

    /** The edges of the shortest tree that spans all machines, ascending (Prim). */
    private static List<Double> joins(List<List<Long>> us) {
        int size = us.size();
        double[] nearest = new double[size];
        boolean[] isIn = new boolean[size];
        Arrays.fill(nearest, Double.MAX_VALUE);
        nearest[0] = 0;
        List<Double> edges = new ArrayList<>();
        for (int n = 0; n < size; n++) {
            int next = -1;
            for (int i = 0; i < size; i++) {
                if (!isIn[i] && (next < 0 || nearest[i] < nearest[next])) {
                    next = i;
                }
            }
            isIn[next] = true;
            if (n > 0) {
                edges.add(nearest[next]);
            }
            for (int i = 0; i < size; i++) {
                nearest[i] = Math.min(nearest[i], apart(us, next, i));
            }
        }
        edges.sort(null);
        return edges;
    }

    /** Machines that hang together by round trips of up to so much. */
    private static List<Integer> components(List<List<Long>> us, double upTo) {
        int size = us.size();
        int[] site = new int[size];
        Arrays.fill(site, -1);
        int count = 0;
        for (int first = 0; first < size; first++) {
            if (site[first] < 0) {
                spread(us, upTo, site, first, count++);
            }
        }
        return Arrays.stream(site).boxed().toList();
    }

    private static void spread(List<List<Long>> us, double upTo, int[] site, int from, int number) {
        site[from] = number;
        for (int to = 0; to < site.length; to++) {
            if (site[to] < 0 && apart(us, from, to) <= upTo) {
                spread(us, upTo, site, to, number);
            }
        }
    }

    private static double apart(List<List<Long>> us, int one, int other) {
        return Math.min(us.get(one).get(other), us.get(other).get(one));
    }
}
