package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import org.jspecify.annotations.Nullable;

/**
 * Plans of another source with micro-batches that fit into memory: when a worker runs out of it,
 * the share goes through the model in smaller parts, which changes nothing but rounding and time.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class CappedPlan extends PlanAround {
    /** Memory is not measured: a quarter is found sooner than a half of a half. */
    private static final int CUT = 4;

    private int cap = Integer.MAX_VALUE;
    private int present;

    /** No cap as long as memory lasts. */
    public CappedPlan(PlanSource source) {
        super(source);
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
        return plan.with(present, why);
    }

    @Override
    public TrialScope comes(WorkerId worker, String machine) {
        return source.comes(worker, machine).atMost(cap);
    }

    @Override
    public @Nullable String outOfMemory() {
        return cut(present);
    }

    /** Several that tried as many lower the cap once. */
    @Override
    public @Nullable String outOfMemoryTrying(int samples) {
        return cut(samples);
    }

    private @Nullable String cut(int samples) {
        if (samples <= 1) {
            return null;
        }
        cap = Math.min(cap, less(samples));
        return "shares go through the model in parts of at most %d samples from now on"
                .formatted(cap);
    }

    /** What is tried after so many samples at once were too many. */
    public static int less(int samples) {
        return Math.max(1, samples / CUT);
    }
}
