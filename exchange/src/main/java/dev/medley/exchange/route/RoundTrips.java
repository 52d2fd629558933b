package dev.medley.exchange.route;

import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The round-trip times that all ranks measured, as all ranks know them.
 *
 * @param us for each rank, in microseconds, those to all ranks; zero to itself
 */
public record RoundTrips(List<List<Long>> us) {
    private static final long NS_PER_US = 1_000;
    private static final long MOST_US = 9_999_999;
    private static final Pattern FIGURE = Pattern.compile("[0-9]{1,7}");

    public RoundTrips {
        us = us.stream().map(List::copyOf).toList();
    }

    /** One rank's times as they are said to all. */
    public static String say(long[] ns) {
        return LongStream.of(ns)
                .mapToObj(each -> String.valueOf(Math.min(each / NS_PER_US, MOST_US)))
                .collect(Collectors.joining(" "));
    }

    /** Whether this is what a member of a group of {@code size} can have said. */
    public static boolean isSound(String row, int size) {
        List<String> figures = List.of(row.split(" ", -1));
        return figures.size() == size && figures.stream().allMatch(FIGURE.asMatchPredicate());
    }

    /** What all ranks said, by rank. */
    public static RoundTrips heard(List<String> rows) {
        List<List<Long>> all = new ArrayList<>();
        for (String row : rows) {
            all.add(List.of(row.split(" ", -1)).stream().map(Long::valueOf).toList());
        }
        return new RoundTrips(all);
    }

    /**
     * The latencies of a group: inside sites that of the slowest pair of ranks, between sites that
     * of the slowest pair of sites. Two sites are as far apart as their nearest ranks: what others
     * need more was spent in a busy process, not on the way.
     */
    public LinkFigures figures(SiteMap sites, LinkFigures elsewise) {
        long inside = 0;
        long between = 0;
        for (int one = 0; one < sites.sites(); one++) {
            for (int other = 0; other < one; other++) {
                between = Math.max(between, nearest(sites.at(one), sites.at(other)));
            }
            inside = Math.max(inside, farthest(sites.at(one)));
        }
        boolean hasPairInside = sites.mostAtOneSite() > 1;
        return elsewise.measuring(
                hasPairInside ? inside * NS_PER_US / 2 : elsewise.insideLatencyNs(),
                between * NS_PER_US / 2);
    }

    private long nearest(List<Integer> here, List<Integer> there) {
        OptionalLong least =
                here.stream()
                        .flatMapToLong(a -> there.stream().mapToLong(b -> between(a, b)))
                        .min();
        return least.orElse(0);
    }

    private long farthest(List<Integer> ranks) {
        return ranks.stream()
                .flatMapToLong(a -> ranks.stream().mapToLong(b -> between(a, b)))
                .max()
                .orElse(0);
    }

    /** Both ends measured; the lower figure has less of a busy process in it. */
    private long between(int one, int other) {
        return Math.min(us.get(one).get(other), us.get(other).get(one));
    }
}
