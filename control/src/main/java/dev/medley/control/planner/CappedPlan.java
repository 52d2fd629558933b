package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.profile.cluster.ClusterProfile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans of another source with micro-batches that fit into memory: when a worker runs out of it,
 * the share goes through the model in smaller parts, which changes nothing but rounding and time.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class CappedPlan implements PlanSource {
    /** Memory is not measured: a quarter is found sooner than a half of a half. */
    private static final int CUT = 4;

    private final PlanSource source;
    private int cap = Integer.MAX_VALUE;
    private int present;

    /** No cap as long as memory lasts. */
    public CappedPlan(PlanSource source) {
        this.source = source;
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        Plan plan = source.plan(group, version, committedStep);
        present = Math.min(plan.microBatch(), cap);
        if (present == plan.microBatch()) {
            return plan;
        }
        String why =
                "%s, in micro-batches of at most %d, since memory ran out"
                        .formatted(plan.why(), present);
        return new Plan(version, plan.shares(), present, why);
    }

    @Override
    public @Nullable String outOfMemory() {
        if (present <= 1) {
            return null;
        }
        cap = Math.max(1, present / CUT);
        return "shares go through the model in parts of at most %d samples from now on"
                .formatted(cap);
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
    public long lastStep(long committedStep) {
        return source.lastStep(committedStep);
    }

    @Override
    public int groupSize(long committedStep, int ready) {
        return source.groupSize(committedStep, ready);
    }
}
