package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.profile.cluster.ClusterProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans of another source, whose sentence also says which workers take inner steps as one: those of
 * a site, where {@code strategy: hybrid} is asked for. Where no site has two workers hybrid is
 * diloco, and the sentence says so.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class HybridPlan implements PlanSource {
    private final PlanSource source;

    /** The plans of {@code source}. */
    public HybridPlan(PlanSource source) {
        this.source = source;
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        Plan plan = source.plan(group, version, committedStep);
        return plan.with(plan.microBatch(), plan.why() + "; " + teams(group));
    }

    /** Who takes inner steps as one. */
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

    @Override
    public @Nullable String outOfMemory() {
        return source.outOfMemory();
    }

    @Override
    public void joins(WorkerId worker, List<Measured> tried) {
        source.joins(worker, tried);
    }

    @Override
    public void knows(ClusterProfile cluster) {
        source.knows(cluster);
    }

    @Override
    public @Nullable List<String> sites(List<String> declared, long committedStep) {
        return source.sites(declared, committedStep);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        source.stepped(step, byWorker);
    }

    @Override
    public void noised(NoiseSample noise) {
        source.noised(noise);
    }

    @Override
    public void took(long samples, long stepNs) {
        source.took(samples, stepNs);
    }

    @Override
    public @Nullable String remark() {
        return source.remark();
    }

    @Override
    public @Nullable StrategySpec strategy() {
        return source.strategy();
    }

    @Override
    public @Nullable String wish(long step) {
        return source.wish(step);
    }

    @Override
    public Map<WorkerId, String> sitsOut(long step) {
        return source.sitsOut(step);
    }

    @Override
    public Map<WorkerId, String> comesBack(long step) {
        return source.comesBack(step);
    }

    @Override
    public long lastStep(long committedStep) {
        return source.lastStep(committedStep);
    }

    @Override
    public int groupSize(long committedStep, int ready) {
        return source.groupSize(committedStep, ready);
    }
}
