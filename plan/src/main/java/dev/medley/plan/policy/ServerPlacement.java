package dev.medley.plan.policy;

import dev.medley.base.Group;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cuts the parameters among servers, so that links and processors carry each part in the same time.
 * Servers are in the workers' processes, so a link carries the pushes of its worker too. Of n
 * servers, with P bytes of parameters, f_k of them at server k, L_k for a byte over its link and
 * C_k for one that it adds and applies, each clock takes
 *
 * <pre>
 *     t_k = P (L_k (1 - f_k + (n - 1) f_k) + C_k n f_k) = P (L_k + f_k ((n - 2) L_k + n C_k))
 * </pre>
 *
 * <p>either way, and the f_k that minimise the longest are those of a water level: {@link
 * WaterFilling}. With links alone, and servers without workers beside them, it is the assignment of
 * BytePS (Jiang et al., OSDI 2020, theorem 1). A server whose worker keeps its link busy for longer
 * than the level gets nothing.
 *
 * <p>With servers per site, those of a site share their site's workers in this manner, each with
 * its path to other sites beside it, L'_k f_k; and the sites share what is at home at each as n
 * servers do that have the mean of its paths and the sum of its speeds.
 *
 * <p>C_k is not measured: {@value #APPLY_NS_PER_BYTE} ns a byte at mean speed, of the order of an
 * addition and a step of Adam in plain Java, and shares of samples tell how fast a worker is.
 */
public final class ServerPlacement {
    private static final double APPLY_NS_PER_BYTE = 2;

    /** Parts are cut in millionths. */
    private static final int UNITS = 1_000_000;

    /** Every site is home of something: else it could not say how its servers share. */
    private static final int LEAST_UNITS = 1;

    private final SiteMap sites;
    private final Servers servers;
    private final List<Integer> shares;
    private final ServerPaths ways;

    /**
     * Parts by rank.
     *
     * @param parts relative to each other; their sum is 1
     * @param ofEqual longest time of a clock, in parts of what it takes with equal parts
     * @param why one sentence
     */
    public record Decision(List<Double> parts, double ofEqual, String why) {
        public Decision {
            parts = List.copyOf(parts);
        }
    }

    private ServerPlacement(Group group, Servers servers, List<Integer> shares, ServerPaths ways) {
        SiteMap map = SiteMap.of(group);
        this.sites = map;
        this.servers = map.sites() > 1 ? servers : Servers.ALL;
        this.shares = shares;
        this.ways = ways;
    }

    /**
     * The parts of a group's servers.
     *
     * @param shares of samples by rank
     * @param ways of all members
     */
    public static Decision of(
            Group group, Servers servers, List<Integer> shares, ServerPaths ways) {
        ServerPlacement placement = new ServerPlacement(group, servers, shares, ways);
        List<Double> equal = Collections.nCopies(group.size(), 1.0 / group.size());
        List<Double> parts = placement.parts();
        if (parts.stream().distinct().count() == 1) {
            return new Decision(equal, 1, "servers hold equal parts: their links are alike");
        }
        double ofEqual = placement.longestNs(parts) / placement.longestNs(equal);
        String each =
                parts.stream()
                        .map(part -> String.format(Locale.ROOT, "%.1f", 100 * part))
                        .collect(Collectors.joining(", "));
        String why =
                "servers hold [%s] %% of the parameters, so that links and processors carry them in"
                        + " equal time: %.2f of what equal parts would take";
        return new Decision(parts, ofEqual, String.format(Locale.ROOT, why, each, ofEqual));
    }

    /** How long other parts take, in parts of what these would. */
    public static double ofBest(
            Group group, Servers servers, List<Integer> shares, ServerPaths ways, List<Double> as) {
        ServerPlacement placement = new ServerPlacement(group, servers, shares, ways);
        return placement.longestNs(as) / placement.longestNs(placement.parts());
    }

    private List<Double> parts() {
        if (servers == Servers.ALL) {
            return cut(togetherTimes(), 0);
        }
        List<Double> homes = cut(homeTimes(), LEAST_UNITS);
        List<Double> parts = new ArrayList<>(Collections.nCopies(sites.size(), 0.0));
        for (int site = 0; site < sites.sites(); site++) {
            List<Integer> mates = sites.at(site);
            List<Double> inside = cut(insideTimes(site), 0);
            for (int i = 0; i < mates.size(); i++) {
                parts.set(mates.get(i), homes.get(site) * inside.get(i));
            }
        }
        return parts;
    }

    /** The longest that a byte of the parameters takes any server, or any border. */
    private double longestNs(List<Double> parts) {
        if (servers == Servers.ALL) {
            return longest(togetherTimes(), parts);
        }
        List<Double> homes = new ArrayList<>();
        double longest = 0;
        for (int site = 0; site < sites.sites(); site++) {
            List<Double> own = sites.at(site).stream().map(parts::get).toList();
            double home = own.stream().mapToDouble(Double::doubleValue).sum();
            homes.add(home);
            List<Double> inside = own.stream().map(part -> part / home).toList();
            longest = Math.max(longest, longest(insideTimes(site), inside));
        }
        return Math.max(longest, longest(homeTimes(), homes));
    }

    private static double longest(List<StepTime> times, List<Double> parts) {
        return IntStream.range(0, parts.size())
                .mapToDouble(i -> times.get(i).alphaNs() + times.get(i).betaNs() * parts.get(i))
                .max()
                .orElse(0);
    }

    private static List<Double> cut(List<StepTime> times, int least) {
        if (times.stream().distinct().count() == 1) {
            return Collections.nCopies(times.size(), 1.0 / times.size());
        }
        List<WaterFilling.Vessel> vessels =
                times.stream()
                        .map(time -> new StepTime(time.alphaNs(), time.betaNs() / UNITS))
                        .map(time -> new WaterFilling.Vessel(time, least, UNITS))
                        .toList();
        return WaterFilling.split(UNITS, vessels).stream()
                .map(units -> (double) units / UNITS)
                .toList();
    }

    private List<StepTime> togetherTimes() {
        int n = sites.size();
        return IntStream.range(0, n)
                .mapToObj(rank -> time(n, ways.toAllNsPerByte(rank), n * applyNs(rank)))
                .toList();
    }

    private List<StepTime> insideTimes(int site) {
        int m = sites.at(site).size();
        return sites.at(site).stream()
                .map(
                        rank ->
                                time(
                                        m,
                                        ways.insideNsPerByte(rank),
                                        ways.outsideNsPerByte(rank) + m * applyNs(rank)))
                .toList();
    }

    private List<StepTime> homeTimes() {
        int count = sites.sites();
        return IntStream.range(0, count).mapToObj(site -> homeTime(count, sites.at(site))).toList();
    }

    private StepTime homeTime(int count, List<Integer> ranks) {
        double way = ranks.stream().mapToDouble(ways::outsideNsPerByte).average().orElse(0);
        double speed = ranks.stream().mapToDouble(rank -> 1 / applyNs(rank)).sum();
        return time(count, way, count / speed);
    }

    /** Of a part that grows from nothing to all, over a link that its worker uses too. */
    private static StepTime time(int servers, double linkNs, double beside) {
        return new StepTime(linkNs, Math.max(0, servers - 2) * linkNs + beside);
    }

    private double applyNs(int rank) {
        double mean = shares.stream().mapToInt(share -> Math.max(1, share)).average().orElse(1);
        return APPLY_NS_PER_BYTE * mean / Math.max(1, shares.get(rank));
    }
}
