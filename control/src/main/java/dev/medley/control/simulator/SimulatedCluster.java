package dev.medley.control.simulator;

import static dev.medley.base.ConfigException.check;

import dev.medley.control.planner.SharePlan;
import dev.medley.profile.cluster.Machine;
import java.util.ArrayList;
import java.util.List;

/**
 * The machines of a cluster and what lies between them.
 *
 * @param kinds of machines, each at one site
 * @param links between them
 */
public record SimulatedCluster(List<MachineKind> kinds, Links links) {
    public SimulatedCluster {
        kinds = List.copyOf(kinds);
        check(!kinds.isEmpty(), "a cluster without machines");
    }

    /** Number of machines. */
    public int size() {
        return kinds.stream().mapToInt(MachineKind::count).sum();
    }

    /** The sites, in the order in which machines name them. */
    public List<String> sites() {
        return kinds.stream().map(kind -> kind.machine().site()).distinct().toList();
    }

    /** Every single machine. */
    public List<Machine> machines() {
        List<Machine> all = new ArrayList<>();
        kinds.forEach(
                kind -> all.addAll(java.util.Collections.nCopies(kind.count(), kind.machine())));
        return all;
    }

    /**
     * So many machines in the same mix, rounded by largest remainder; the links stay as they are.
     */
    public SimulatedCluster ofSize(int machines) {
        check(machines >= 1, "%d machines: at least 1", machines);
        List<Integer> counts =
                SharePlan.split(
                        machines, kinds.stream().map(kind -> (double) kind.count()).toList());
        List<MachineKind> scaled = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            if (counts.get(i) > 0) {
                scaled.add(kinds.get(i).times(counts.get(i)));
            }
        }
        return new SimulatedCluster(scaled, links);
    }
}
