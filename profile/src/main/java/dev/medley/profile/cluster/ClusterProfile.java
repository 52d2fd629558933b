package dev.medley.profile.cluster;

import static dev.medley.base.ConfigException.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The machines of a cluster and the paths between them. JSON holds all of it, and reads it back.
 *
 * @param machines in an order of their own; ways refer to it
 * @param ways row i holds the paths from machine i to each machine; the one to itself says nothing
 */
public record ClusterProfile(List<Machine> machines, List<List<LinkPath>> ways) {
    public ClusterProfile {
        machines = List.copyOf(machines);
        ways = ways.stream().map(List::copyOf).toList();
        int size = machines.size();
        check(size > 0, "a cluster without machines");
        check(
                ways.size() == size && ways.stream().allMatch(row -> row.size() == size),
                "%d machines: ways are to be a square of that size",
                size);
        Set<String> names = new HashSet<>();
        for (Machine machine : machines) {
            check(names.add(machine.name()), "two machines are called %s", machine.name());
        }
    }

    /** Machines between which nothing was measured. */
    public static ClusterProfile assumed(List<Machine> machines) {
        return new ClusterProfile(
                machines,
                machines.stream()
                        .map(
                                from ->
                                        machines.stream()
                                                .map(to -> assumed(from.site(), to.site()))
                                                .toList())
                        .toList());
    }

    /** Number of machines. */
    public int size() {
        return machines.size();
    }

    /** The way from one machine to another. */
    public LinkPath way(int from, int to) {
        return ways.get(from).get(to);
    }

    /** Sites in the order in which machines name them. */
    public List<String> sites() {
        return machines.stream().map(Machine::site).distinct().toList();
    }

    private static LinkPath assumed(String from, String to) {
        return from.equals(to) ? LinkPath.assumedInside() : LinkPath.assumedBetween();
    }
}
