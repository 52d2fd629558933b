package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.plan.policy.ServerPaths;
import dev.medley.plan.policy.ServerPlacement;
import dev.medley.profile.cluster.LinkReport;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds to another source's plans which server holds how much of the parameters. Parts are equal
 * until the paths between the machines are measured, then as {@link ServerPlacement} says. It
 * wishes for another plan where the present parts take a good deal longer.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class ServerPlan extends PlanAround {
    /** Servers begin anew with a group: for less it does not pay. */
    private static final double WORTH_A_PLAN = 1.1;

    private final Servers servers;
    private @Nullable LinkReport report;
    private @Nullable Group group;
    private @Nullable Plan present;

    /** The plans of {@code source} for servers of this kind. */
    public ServerPlan(PlanSource source, Servers servers) {
        super(source);
        this.servers = servers;
    }

    @Override
    public void surveyed(LinkReport of) {
        source.surveyed(of);
        report = of;
    }

    @Override
    public Plan plan(Group of, int version, long committedStep) {
        Plan plan = source.plan(of, version, committedStep);
        if (of.size() > 1 && servers == Servers.PER_SITE) {
            plan = plan.with(plan.microBatch(), plan.why() + "; " + groups(of));
        }
        ServerPaths ways = ways(of);
        if (ways != null) {
            ServerPlacement.Decision placed = ServerPlacement.of(of, servers, plan.shares(), ways);
            plan = plan.serving(placed.parts(), plan.why() + "; " + placed.why());
        }
        group = of;
        present = plan;
        return plan;
    }

    @Override
    public @Nullable String wish(long step) {
        String wished = source.wish(step);
        Group of = group;
        Plan plan = present;
        ServerPaths ways = of == null ? null : ways(of);
        if (wished != null || of == null || plan == null || ways == null) {
            return wished;
        }
        List<Double> parts =
                plan.servers().isEmpty()
                        ? of.members().stream().map(member -> 1.0 / of.size()).toList()
                        : plan.servers();
        double longer = ServerPlacement.ofBest(of, servers, plan.shares(), ways, parts);
        return longer < WORTH_A_PLAN
                ? null
                : ("servers change: their parts take %.2f times as long as those that follow the"
                                + " measured ways")
                        .formatted(longer);
    }

    private @Nullable ServerPaths ways(Group of) {
        LinkReport known = report;
        if (known == null || of.size() == 1) {
            return null;
        }
        ServerPaths ways = ServerPaths.of(of, known);
        return ways.isWhole() ? ways : null;
    }

    /** Names the groups of servers. */
    private static String groups(Group of) {
        SiteMap sites = SiteMap.of(of);
        if (sites.sites() == 1) {
            return "servers per site do what all do, since all workers stand at one site";
        }
        return of.sites().stream()
                .map(site -> of.ranksAt(site).size() + " at " + name(site))
                .collect(Collectors.joining(", ", "servers per site: ", ""));
    }

    private static String name(String site) {
        return site.equals(Member.NO_SITE) ? "no named site" : site;
    }
}
