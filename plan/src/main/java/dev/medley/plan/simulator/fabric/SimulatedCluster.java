package dev.medley.plan.simulator.fabric;

import static dev.medley.base.ConfigException.check;

import dev.medley.plan.source.SharePlan;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A simulated cluster: its machines and the links between them.
 *
 * @param kinds of machines, each at one site
 * @param links between them
 * @param spells in which machines' connections are slow
 */
public record SimulatedCluster(
        List<SimulatedMachine> kinds, SimulatedLinks links, List<SlowSpell> spells) {
    public SimulatedCluster {
        kinds = List.copyOf(kinds);
        spells = List.copyOf(spells);
        check(!kinds.isEmpty(), "a cluster without machines");
        for (SlowSpell spell : spells) {
            check(
                    kinds.stream().anyMatch(kind -> kind.machine().name().equals(spell.machine())),
                    "machine %s is slow for a while, but there is none",
                    spell.machine());
        }
    }

    /** A cluster whose connections are as fast as ever. */
    public SimulatedCluster(List<SimulatedMachine> kinds, SimulatedLinks links) {
        this(kinds, links, List.of());
    }

    /** The same with connections that are slow for a while. */
    public SimulatedCluster slow(List<SlowSpell> when) {
        return new SimulatedCluster(kinds, links, when);
    }

    List<SlowSpell> spellsOf(String machine) {
        return spells.stream().filter(spell -> spell.machine().equals(machine)).toList();
    }

    /** Number of machines. */
    public int size() {
        return kinds.stream().mapToInt(SimulatedMachine::count).sum();
    }

    /** The sites, in the order in which machines name them. */
    public List<String> sites() {
        return kinds.stream().map(kind -> kind.machine().site()).distinct().toList();
    }

    /** Every single machine, by the name of its kind. */
    public List<Machine> machines() {
        return kinds.stream()
                .flatMap(kind -> Collections.nCopies(kind.count(), kind.machine()).stream())
                .toList();
    }

    /**
     * What a planner knows of it: each single machine, by a name of its own, and what one stream
     * gets through between two of them while nothing else is under way.
     */
    public ClusterProfile profile() {
        List<SimulatedMachine> singles = kinds.stream().flatMap(SimulatedMachine::singles).toList();
        return new ClusterProfile(
                singles.stream().map(SimulatedMachine::machine).toList(),
                singles.stream()
                        .map(from -> singles.stream().map(to -> way(from, to)).toList())
                        .toList());
    }

    private LinkPath way(SimulatedMachine from, SimulatedMachine to) {
        double own = Math.min(from.bytesPerSecond(), to.bytesPerSecond());
        String site = from.machine().site();
        if (site.equals(to.machine().site())) {
            return new LinkPath(links.inside().latencyNs(), own, links.inside().origin());
        }
        SimulatedLink link = links.between(site, to.machine().site());
        double stream = Math.min(link.way().bytesPerSecond(), link.bytesPerSecondOfOne());
        return new LinkPath(link.way().latencyNs(), Math.min(own, stream), link.way().origin());
    }

    /**
     * So many machines in the same mix, rounded by largest remainder; the links stay as they are.
     */
    public SimulatedCluster ofSize(int machines) {
        check(machines >= 1, "%d machines: at least 1", machines);
        List<Integer> counts =
                SharePlan.split(
                        machines, kinds.stream().map(kind -> (double) kind.count()).toList());
        List<SimulatedMachine> scaled = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            if (counts.get(i) > 0) {
                scaled.add(kinds.get(i).times(counts.get(i)));
            }
        }
        List<String> names = scaled.stream().map(kind -> kind.machine().name()).toList();
        return new SimulatedCluster(
                scaled,
                links,
                spells.stream().filter(spell -> names.contains(spell.machine())).toList());
    }
}
