package dev.medley.worker;

import dev.medley.base.Group;
import dev.medley.base.route.SiteMap;
import dev.medley.exchange.route.LinkSurvey;
import dev.medley.exchange.route.MachineMap;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Puts what the exchange measured of the paths into the terms of the run's record. */
public final class LinkReports {
    private LinkReports() {}

    /** A way that was not probed has the bandwidth of the slowest probed between the same sites. */
    public static LinkReport of(Group group, LinkSurvey survey) {
        MachineMap machines = survey.machines();
        SiteMap declared = SiteMap.of(group);
        List<Integer> sites =
                declared.sites() == 1
                        ? survey.found().siteOf()
                        : machines.leaders().stream().map(declared::siteOf).toList();
        List<List<Integer>> workers = new ArrayList<>();
        List<List<LinkPath>> ways = new ArrayList<>();
        for (int from = 0; from < machines.size(); from++) {
            workers.add(
                    machines.ranksOn(from).stream()
                            .map(rank -> group.members().get(rank).worker().value())
                            .toList());
            List<LinkPath> row = new ArrayList<>();
            for (int to = 0; to < machines.size(); to++) {
                row.add(from == to ? LinkPath.assumedInside() : way(survey, sites, from, to));
            }
            ways.add(row);
        }
        return new LinkReport(
                group.epoch(), workers, ways, survey.found().siteOf(), survey.found().why());
    }

    private static LinkPath way(LinkSurvey survey, List<Integer> sites, int from, int to) {
        long latencyNs = survey.latencyNs(from, to);
        long probed = survey.rates().rate(from, to);
        if (probed > 0) {
            return new LinkPath(latencyNs, probed, Origin.MEASURED);
        }
        OptionalLong alike = survey.rates().slowest(sites, sites.get(from), sites.get(to));
        if (alike.isPresent()) {
            return new LinkPath(latencyNs, alike.getAsLong(), Origin.KEPT);
        }
        boolean isInside = sites.get(from).equals(sites.get(to));
        LinkPath assumed = isInside ? LinkPath.assumedInside() : LinkPath.assumedBetween();
        return new LinkPath(latencyNs, assumed.bytesPerSecond(), Origin.ASSUMED);
    }
}
