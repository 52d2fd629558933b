package dev.medley.plan.simulator;

import static java.util.stream.Collectors.toList;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Surveys the paths between members of a group while it forms, as they do in a run. It probes one
 * pair of machines for two sites, all pairs of a site of up to six machines, else a ring of them. A
 * probed path is known until a plan asks for a survey of all.
 */
final class Survey {
    /** Larger groups measure nothing while they form, as {@code Forming} has it. */
    static final int MOST_MEASURED = 200;

    private static final int MOST_WITH_ALL_PAIRS = 6;
    private static final double UNKNOWN = 0;

    private final Fabric whole;
    private final double[][] bytesPerSecond;

    /** Nothing is known. */
    Survey(Fabric whole) {
        this.whole = whole;
        int size = whole.size() > MOST_MEASURED ? 0 : whole.size();
        bytesPerSecond = new double[size][size];
    }

    /** What is known of some of the machines is out of date. */
    void forget(List<Integer> ranks) {
        for (int from : ranks) {
            for (int to : ranks) {
                bytesPerSecond[from][to] = UNKNOWN;
            }
        }
    }

    /**
     * Probes what is not known. A way that was not probed has the bandwidth of the slowest probed
     * between the same sites.
     *
     * @param ranks of the members, in the order of the group
     * @return null where the group is too large
     */
    @Nullable LinkReport report(Group group, List<Integer> ranks, double nowNs) {
        if (ranks.size() > MOST_MEASURED || ranks.size() > bytesPerSecond.length) {
            return null;
        }
        Map<Integer, List<Integer>> bySite =
                ranks.stream()
                        .collect(Collectors.groupingBy(whole::siteOf, TreeMap::new, toList()));
        Map<List<Integer>, Double> slowest = new HashMap<>();
        for (Probe probe : probes(bySite)) {
            double rate = probed(probe.from(), probe.to(), nowNs);
            slowest.merge(sites(probe.from(), probe.to()), rate, Math::min);
        }
        Set<Probe> probes = Set.copyOf(probes(bySite));
        List<List<LinkPath>> ways = new ArrayList<>();
        for (int from : ranks) {
            List<LinkPath> row = new ArrayList<>();
            for (int to : ranks) {
                boolean isProbed = probes.contains(new Probe(from, to));
                Double alike = slowest.get(sites(from, to));
                row.add(
                        isProbed
                                ? way(from, to, bytesPerSecond[from][to], Origin.MEASURED)
                                : alike == null
                                        ? LinkPath.assumedInside() // To itself, alone at its site.
                                        : way(from, to, alike, Origin.KEPT));
            }
            ways.add(row);
        }
        return new LinkReport(
                group.epoch(),
                group.members().stream().map(m -> List.of(m.worker().value())).toList(),
                ways,
                ranks.stream().map(whole::siteOf).toList(),
                "sites are declared");
    }

    /** One direction between two machines. */
    private record Probe(int from, int to) {}

    private static List<Probe> probes(Map<Integer, List<Integer>> bySite) {
        List<Probe> probes = new ArrayList<>();
        for (List<Integer> here : bySite.values()) {
            for (List<Integer> there : bySite.values()) {
                if (here != there) {
                    probes.add(new Probe(here.get(0), there.get(0)));
                }
            }
            int size = here.size();
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    int apart = Math.abs(i - j);
                    boolean isNext = apart == 1 || apart == size - 1;
                    if (i != j && (size <= MOST_WITH_ALL_PAIRS || isNext)) {
                        probes.add(new Probe(here.get(i), here.get(j)));
                    }
                }
            }
        }
        return probes;
    }

    private List<Integer> sites(int from, int to) {
        return List.of(whole.siteOf(from), whole.siteOf(to));
    }

    private LinkPath way(int from, int to, double rate, Origin origin) {
        return new LinkPath(
                (long) whole.latencyNs(whole.siteOf(from), whole.siteOf(to)), rate, origin);
    }

    private double probed(int from, int to, double nowNs) {
        if (bytesPerSecond[from][to] == UNKNOWN) {
            bytesPerSecond[from][to] = whole.bytesPerSecond(from, to, nowNs);
        }
        return bytesPerSecond[from][to];
    }

    /** The machines of a group and what a report says of the ways between them. */
    static ClusterProfile profile(Group group, LinkReport report) {
        return new ClusterProfile(machines(group), report.ways());
    }

    /** The same where nothing was measured. */
    static ClusterProfile assumed(Group group) {
        return ClusterProfile.assumed(machines(group));
    }

    private static List<Machine> machines(Group group) {
        return group.members().stream().map(Survey::machine).toList();
    }

    private static Machine machine(Member member) {
        String name = member.worker().toString();
        return new Machine(name, member.site(), member.kernelKey(), Long.MAX_VALUE, null);
    }
}
