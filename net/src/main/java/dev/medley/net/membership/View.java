package dev.medley.net.membership;

import dev.medley.base.Group;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Plan;
import dev.medley.base.strategy.StrategySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The start of a new group: its members, its plan, and the state from which it begins.
 *
 * @param group who takes part
 * @param plan how its batches are cut
 * @param committed the progress that every member has before its first step in this group
 * @param source rank of the member that those behind copy from
 * @param behind ranks of the members whose state is behind, in order; empty if none is
 * @param lastStep after this step the group ends, as after a pause; {@link Long#MAX_VALUE} for no
 *     such step
 * @param strategy that was chosen for the run, with the codec of this group; null where the job
 *     names both
 * @param probesAnew whether the paths between machines are probed while the group forms as if none
 *     of them was known
 */
public record View(
        Group group,
        Plan plan,
        Progress committed,
        int source,
        List<Integer> behind,
        long lastStep,
        @Nullable StrategySpec strategy,
        boolean probesAnew) {
    public View {
        behind = List.copyOf(behind);
    }

    /** A view of a run whose job names its strategy. */
    public View(
            Group group,
            Plan plan,
            Progress committed,
            int source,
            List<Integer> behind,
            long lastStep) {
        this(group, plan, committed, source, behind, lastStep, null, false);
    }

    /** The same with sums that follow this. */
    public View along(MeasuredRoute route) {
        return new View(
                group,
                plan.along(route),
                committed,
                source,
                behind,
                lastStep,
                strategy,
                probesAnew);
    }
}
