package dev.medley.profile.cluster;

import static dev.medley.base.ConfigException.check;

import java.util.List;

/**
 * What the members of a group measured of the ways between their machines, as one of them says it
 * for all.
 *
 * @param epoch of the group
 * @param workers ids of the workers on each machine
 * @param ways row i holds those from machine i to each machine
 * @param foundSites each machine's site by latency, numbered from 0
 * @param whySites one sentence about them
 */
public record LinkReport(
        int epoch,
        List<List<Integer>> workers,
        List<List<Way>> ways,
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
}
