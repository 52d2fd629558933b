package dev.medley.exchange.route;

import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The results of a survey of the paths between a group's machines, the same on all ranks.
 *
 * @param machines the machine of each rank
 * @param roundTrips between ranks
 * @param rates between machines
 * @param found sites by latency; declared sites have priority
 */
public record LinkSurvey(
        MachineMap machines, RoundTrips roundTrips, LinkRates rates, FoundSites found) {
    private static final long NS_PER_US = 1_000;

    /** Half of the shortest round trip between any ranks of two machines. */
    public long latencyNs(int from, int to) {
        return machineTrips(machines, roundTrips).get(from).get(to) * NS_PER_US / 2;
    }

    /** Round trips between machines in microseconds: the shortest of any ranks of theirs. */
    public static List<List<Long>> machineTrips(MachineMap machines, RoundTrips trips) {
        List<List<Long>> us = new ArrayList<>();
        for (int one = 0; one < machines.size(); one++) {
            List<Long> row = new ArrayList<>();
            for (int other = 0; other < machines.size(); other++) {
                long least = Long.MAX_VALUE;
                for (int a : machines.ranksOn(one)) {
                    for (int b : machines.ranksOn(other)) {
                        least = Math.min(least, trips.us().get(a).get(b));
                    }
                }
                row.add(one == other ? 0 : least);
            }
            us.add(row);
        }
        return us;
    }

    /**
     * The figures for a choice between schemes: the slowest paths, since they decide when all end.
     */
    public LinkFigures figures(SiteMap sites, LinkFigures elsewise) {
        List<Integer> siteOf = new ArrayList<>();
        for (int machine = 0; machine < machines.size(); machine++) {
            siteOf.add(sites.siteOf(machines.leader(machine)));
        }
        return roundTrips
                .figures(sites, elsewise)
                .carrying(rates.slowestInside(siteOf), rates.slowestBetween(siteOf));
    }
}
