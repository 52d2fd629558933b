package dev.medley.profile.cluster;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.WorkerId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paths between the machines of a group, as its members measured them and one of them reports
 * for all.
 *
 * @param epoch of the group
 * @param workers ids of the workers on each machine
 * @param ways row i holds the paths from machine i to each machine
 * @param foundSites each machine's site by latency, numbered from 0
 * @param whySites one sentence about them
 */
public record LinkReport(
        int epoch,
        List<List<Integer>> workers,
        List<List<LinkPath>> ways,
        List<Integer> foundSites,
        String whySites) {
    public LinkReport {
        workers = workers.stream().map(List::copyOf).toList();
        ways = ways.stream().map(List::copyOf).toList();
        foundSites = List.copyOf(foundSites);
        int size = workers.size();
        check(
                foundSites.size() == size
                        && ways.size() == size
                        && ways.stream().allMatch(row -> row.size() == size),
                "%d machines: ways are to be a square of that size, with a site for each",
                size);
    }

    /**
     * Row i holds the ways from the i-th of these workers to each of them; null if one stands on no
     * machine of this report.
     */
    public @Nullable List<List<LinkPath>> between(List<WorkerId> members) {
        List<Integer> machines = members.stream().map(this::machine).toList();
        if (machines.contains(-1)) {
            return null;
        }
        return machines.stream()
                .map(from -> machines.stream().map(to -> way(from, to)).toList())
                .toList();
    }

    private int machine(WorkerId worker) {
        for (int machine = 0; machine < workers.size(); machine++) {
            if (workers.get(machine).contains(worker.value())) {
                return machine;
            }
        }
        return -1;
    }

    private LinkPath way(int from, int to) {
        return from == to ? LinkPath.onOneMachine() : ways.get(from).get(to);
    }
}
