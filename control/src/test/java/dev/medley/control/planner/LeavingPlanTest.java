package dev.medley.control.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.WorkerId;
import dev.medley.control.planner.PlanSource.Measured;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class LeavingPlanTest {
    private static final Group THREE = Groups.of(1, 3);

    private final LeavingPlan plans = new LeavingPlan(new SharePlan(30, 1, List.of()), 3);
    private long step;

    @Test
    void oneLateStepShouldBeNoReasonAndThreeOfFiveShould() {
        plans.plan(THREE, 1, 0);
        steps(10, 1, 1, 1);
        steps(1, 1, 9, 1);
        steps(4, 1, 1, 1);
        assertThat(plans.sitsOut(step)).isEmpty();
        steps(2, 1, 9, 1);
        assertThat(plans.sitsOut(step)).isEmpty();
        steps(1, 1, 9, 1);
        assertThat(plans.sitsOut(step))
                .containsOnlyKeys(new WorkerId(2))
                .containsValue(
                        "worker-2 took 9.0 times as long as usual in 3 of its last 5 steps: it sits"
                                + " out for 50 steps");
        assertThat(plans.sitsOut(step)).as("said once").isEmpty();
    }

    @Test
    void nobodyShouldBeAStragglerWhereAllAreSlow() {
        plans.plan(THREE, 1, 0);
        steps(10, 1, 1, 1);
        steps(5, 9, 9, 9);
        assertThat(plans.sitsOut(step)).isEmpty();
    }

    @Test
    void theLastShouldStay() {
        plans.plan(Groups.of(1, 1), 1, 0);
        steps(10, 1);
        steps(5, 9);
        assertThat(plans.sitsOut(step)).isEmpty();
    }

    @Test
    void aStragglerShouldBeAskedBackAndGoForLongerTheSecondTime() {
        plans.plan(THREE, 1, 0);
        steps(10, 1, 1, 1);
        steps(3, 1, 9, 1);
        assertThat(plans.sitsOut(step)).hasSize(1);
        assertThat(plans.comesBack(step + 49)).isEmpty();
        assertThat(plans.comesBack(step + 50)).containsOnlyKeys(new WorkerId(2));
        assertThat(plans.comesBack(step + 50)).as("said once").isEmpty();
        step += 50;
        steps(3, 1, 9, 1);
        assertThat(plans.sitsOut(step).get(new WorkerId(2))).endsWith("sits out for 100 steps");
    }

    /** Steps in which rank i takes so many times as long as usual. */
    private void steps(int count, double... times) {
        for (int i = 0; i < count; i++) {
            Map<WorkerId, Measured> measured = new HashMap<>();
            for (int rank = 0; rank < times.length; rank++) {
                long ns = (long) (1e7 * times[rank]);
                measured.put(new WorkerId(rank + 1), Measured.alone(10, ns));
            }
            plans.stepped(++step, measured);
        }
    }
}
