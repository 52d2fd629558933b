package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Plan;
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
    public @Nullable String outOfMemory() {
        if (present <= 1) {
            return null;
        }
        cap = Math.max(1, present / CUT);
        return "shares go through the model in parts of at most %d samples from now on"
                .formatted(cap);
    }
}
