package dev.medley.plan.codec;

import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The links of a cluster as a sum over its machines sees them. Inside sites the slowest path
 * counts, since every rank sends to every other. Between two sites the best of their paths counts
 * (what the others take longer was spent in a busy machine), and of all pairs of sites the slowest.
 *
 * @param sites site of each rank; rank i is machine i
 * @param figures of the links
 * @param leastKnown the origin of the least known path that counts
 */
public record ClusterLinks(SiteMap sites, LinkFigures figures, Origin leastKnown) {
    /** The links of a cluster between its sites. */
    public static ClusterLinks of(ClusterProfile cluster) {
        List<List<Integer>> bySite =
                cluster.sites().stream().map(site -> ranksAt(cluster, site)).toList();
        LinkFigures assumed = LinkFigures.assumed();
        List<LinkPath> inside = ways(cluster, String::equals);
        List<Best> between = between(cluster, bySite);
        LinkFigures figures =
                new LinkFigures(
                        inside.stream()
                                .mapToLong(LinkPath::latencyNs)
                                .max()
                                .orElse(assumed.insideLatencyNs()),
                        whole(
                                inside.stream().mapToDouble(LinkPath::bytesPerSecond).min(),
                                assumed.insideBytesPerSecond()),
                        between.stream()
                                .mapToLong(Best::latencyNs)
                                .max()
                                .orElse(assumed.betweenLatencyNs()),
                        whole(
                                between.stream().mapToDouble(Best::bytesPerSecond).min(),
                                assumed.betweenBytesPerSecond()),
                        LinkFigures.Origin.MEASURED,
                        LinkFigures.Origin.MEASURED);
        return new ClusterLinks(new SiteMap(bySite), figures, leastKnown(cluster));
    }

    /** What the figures would be if all borders were like this one; in the order of the sites. */
    static Map<Border, LinkFigures> borders(ClusterProfile cluster) {
        LinkFigures figures = of(cluster).figures();
        Map<Border, LinkFigures> byBorder = new LinkedHashMap<>();
        for (String from : cluster.sites()) {
            for (String to : cluster.sites()) {
                if (!from.equals(to)) {
                    Best best = best(cluster, ranksAt(cluster, from), ranksAt(cluster, to));
                    byBorder.put(
                            new Border(from, to),
                            figures.between(
                                    best.latencyNs(), Math.max(1, (long) best.bytesPerSecond())));
                }
            }
        }
        return byBorder;
    }

    /** The best of all ways from one site to another. */
    private record Best(long latencyNs, double bytesPerSecond) {}

    private static List<Best> between(ClusterProfile cluster, List<List<Integer>> bySite) {
        List<Best> pairs = new ArrayList<>();
        for (List<Integer> here : bySite) {
            for (List<Integer> there : bySite) {
                if (here != there) {
                    pairs.add(best(cluster, here, there));
                }
            }
        }
        return pairs;
    }

    private static Best best(ClusterProfile cluster, List<Integer> here, List<Integer> there) {
        List<LinkPath> ways =
                here.stream()
                        .flatMap(from -> there.stream().map(to -> cluster.way(from, to)))
                        .toList();
        return new Best(
                ways.stream().mapToLong(LinkPath::latencyNs).min().orElse(0),
                ways.stream().mapToDouble(LinkPath::bytesPerSecond).max().orElse(1));
    }

    private static List<LinkPath> ways(ClusterProfile cluster, BiPredicate<String, String> sites) {
        return pairs(cluster)
                .filter(p -> sites.test(site(cluster, p[0]), site(cluster, p[1])))
                .map(p -> cluster.way(p[0], p[1]))
                .toList();
    }

    private static Origin leastKnown(ClusterProfile cluster) {
        Optional<Origin> least =
                pairs(cluster)
                        .map(p -> cluster.way(p[0], p[1]))
                        .filter(way -> !way.equals(LinkPath.onOneMachine())) // Between no machines.
                        .map(LinkPath::origin)
                        .min(Comparator.naturalOrder());
        return least.orElse(Origin.MEASURED); // A machine alone needs no way.
    }

    private static Stream<int[]> pairs(ClusterProfile cluster) {
        int size = cluster.size();
        return IntStream.range(0, size * size)
                .filter(i -> i / size != i % size)
                .mapToObj(i -> new int[] {i / size, i % size});
    }

    private static List<Integer> ranksAt(ClusterProfile cluster, String site) {
        List<Machine> machines = cluster.machines();
        return IntStream.range(0, machines.size())
                .filter(i -> machines.get(i).site().equals(site))
                .boxed()
                .toList();
    }

    private static String site(ClusterProfile cluster, int machine) {
        return cluster.machines().get(machine).site();
    }

    private static long whole(OptionalDouble bytesPerSecond, long elsewise) {
        return bytesPerSecond.isPresent()
                ? Math.max(1, (long) bytesPerSecond.getAsDouble())
                : elsewise;
    }
}
