package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds to another source's plans the sentence that says which workers take inner steps as one.
 * Those are the workers of a site, where {@code strategy: hybrid} is asked for. Where no site has
 * two workers hybrid is diloco, and the sentence says so.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class HybridPlan extends PlanAround {
    /** The plans of {@code source}. */
    public HybridPlan(PlanSource source) {
        super(source);
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        Plan plan = source.plan(group, version, committedStep);
        return plan.with(plan.microBatch(), plan.why() + "; " + teams(group));
    }

    /** Names the workers that take inner steps as one. */
    static String teams(Group group) {
        List<String> sites = group.sites();
        if (sites.size() == 1 && group.size() > 1) {
            return "hybrid: all %d workers stand at one site and take each inner step as one"
                    .formatted(group.size());
        }
        List<String> teams = new ArrayList<>();
        for (String site : sites) {
            int workers = group.ranksAt(site).size();
            if (workers > 1) {
                teams.add("%d workers at %s".formatted(workers, name(site)));
            }
        }
        return teams.isEmpty()
                ? "hybrid does what diloco does, since no site has two workers"
                : "hybrid: the " + String.join(", the ", teams) + " take each inner step as one";
    }

    private static String name(String site) {
        return site.equals(Member.NO_SITE) ? "no named site" : site;
    }
}
