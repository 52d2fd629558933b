package dev.medley.control.coordinator;

import dev.medley.base.Fault;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.View;
import dev.medley.plan.source.PlanSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the view of a group that was agreed: numbers its plan, and counts the groups that took no
 * step. Owned by the coordinator's agent.
 */
final class ViewMaker {
    /** A joining worker or a lost one makes a group end early; so many in a row are no accident. */
    static final int MOST_FRUITLESS_GROUPS = 20;

    private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final PlanSource plans;
    private int planVersion;
    private long formedStep = -1;
    private int fruitlessGroups;
    private @Nullable String why; // The present group ends.
    private List<WorkerId> members = List.of();
    private long firstStep = -1;
    private boolean wasContinued;

    ViewMaker(PlanSource plans) {
        this.plans = plans;
    }

    /** A group forms after this step: how many before it, in a row, formed there and no further. */
    int fruitlessGroups(long step) {
        fruitlessGroups = step == formedStep ? fruitlessGroups + 1 : 0;
        formedStep = step;
        return fruitlessGroups;
    }

    /** How long a group waits for which so many before it, in a row, were in vain. */
    static long pauseNs(int fruitless) {
        int doublings = Math.min(fruitless - 2, 2);
        return doublings < 0 ? 0 : FIRST_PAUSE_NS << doublings;
    }

    /** A member met a fault that ends the present group; who cannot reach another knows most. */
    void ended(String member, Fault fault) {
        if (why == null || fault.kind() == Fault.Kind.LINK) {
            why = member + ": " + fault.message();
        }
    }

    /**
     * What to tell the user of groups that took no step because of a fault, which may be many, as
     * where two machines cannot reach each other: after one, two, four and so on. Null for nothing.
     */
    @Nullable String inVain() {
        String of = why;
        why = null;
        if (of == null || Integer.bitCount(fruitlessGroups) != 1) {
            return null;
        }
        return fruitlessGroups == 1
                ? "A group took no step: " + of
                : "%d groups in a row took no step; in the last one %s"
                        .formatted(fruitlessGroups, of);
    }

    View view(Action.TellForm form) {
        long step = form.committed().step();
        Plan plan = plans.plan(form.group(), ++planVersion, step);
        boolean isRepeated = plan.continued() != null;
        wasContinued = goesOn(form) && (!isRepeated || plan.isContinued());
        firstStep = step;
        return new View(
                form.group(),
                wasContinued ? plan.goingOn() : plan.beginningAnew(),
                form.committed(),
                form.source(),
                form.behind(),
                plans.lastStep(step),
                plans.strategy(),
                plans.probesAnew());
    }

    /**
     * Whether all members were the group before, and hold what they held at its end. A group that
     * took no step may not have been formed everywhere: what held for it holds for the next.
     */
    private boolean goesOn(Action.TellForm form) {
        List<WorkerId> before = members;
        members = form.group().members().stream().map(Member::worker).toList();
        boolean tookSteps = form.committed().step() > firstStep;
        return members.equals(before) && form.behind().isEmpty() && (tookSteps || wasContinued);
    }
}
