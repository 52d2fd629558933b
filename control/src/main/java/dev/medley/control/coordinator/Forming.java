package dev.medley.control.coordinator;

import dev.medley.base.Plan;
import dev.medley.control.planner.PlanSource;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.View;

/**
 * Makes the view of a group that was agreed: numbers its plan, and counts the groups that came to
 * no step. Owned by the coordinator's agent.
 */
final class Forming {
    /** A joining worker or a lost one makes a group end early; so many in a row are no accident. */
    static final int MOST_FRUITLESS_GROUPS = 20;

    private final PlanSource plans;
    private int planVersion;
    private long formedStep = -1;
    private int fruitlessGroups;

    Forming(PlanSource plans) {
        this.plans = plans;
    }

    /** A group forms after this step: how many before it, in a row, formed there and no further. */
    int fruitlessGroups(long step) {
        fruitlessGroups = step == formedStep ? fruitlessGroups + 1 : 0;
        formedStep = step;
        return fruitlessGroups;
    }

    View view(Action.TellForm form) {
        long step = form.committed().step();
        Plan plan = plans.plan(form.group(), ++planVersion, step);
        return new View(
                form.group(),
                plan,
                form.committed(),
                form.source(),
                form.behind(),
                plans.lastStep(step),
                plans.strategy());
    }
}
