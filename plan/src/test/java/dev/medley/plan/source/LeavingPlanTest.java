package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class LeavingPlanTest {
    private static final WorkerId SECOND = new WorkerId(2);
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
                .containsOnlyKeys(SECOND)
                .containsValue(
                        "worker-2 took 9.0 times as long as usual in 3 of its last 5 steps: it sits"
                                + " out until it is well");
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
    void aStragglerShouldTryByItselfNowAndThenAndComeBackWhenItIsWell() {
        leave();
        assertThat(plans.tries(step + 9)).isEmpty();
        for (int slow = 1; slow <= 20; slow++) {
            step += 10;
            assertThat(plans.tries(step)).containsExactly(Map.entry(SECOND, 10));
            assertThat(plans.tries(step + 10)).as("an answer is awaited").isEmpty();
            plans.tried(SECOND, Measured.alone(10, 40_000_000));
            assertThat(plans.comesBack(step)).as("not by time").isEmpty();
        }
        tryWell(10);
        assertThat(plans.comesBack(step)).as("once may be chance").isEmpty();
        tryWell(10);
        assertThat(plans.tries(step + 10)).isEmpty();
        assertThat(plans.comesBack(step))
                .containsExactly(
                        Map.entry(
                                SECOND,
                                "worker-2 takes 1.2 times as long as usual when it tries by"
                                        + " itself, and is asked back"));
        assertThat(plans.comesBack(step)).as("said once").isEmpty();
    }

    @Test
    void aTrialThatIsSlowShouldCountFromTheBeginning() {
        leave();
        tryWell(10);
        step += 10;
        assertThat(plans.tries(step)).hasSize(1);
        plans.tried(SECOND, Measured.alone(10, 40_000_000));
        tryWell(10);
        assertThat(plans.comesBack(step)).isEmpty();
        tryWell(10);
        assertThat(plans.comesBack(step)).hasSize(1);
    }

    @Test
    void oneThatIsWellAloneAndLateAmongOthersShouldStayAwayForLongerEachTime() {
        leave();
        tryWell(10);
        tryWell(10);
        assertThat(plans.comesBack(step)).hasSize(1);
        steps(3, 1, 9, 1);
        assertThat(plans.sitsOut(step).get(SECOND))
                .endsWith("sits out for 50 steps at least, until it is well");
        long left = step;
        assertThat(plans.tries(left + 29)).as("too early to be of use").isEmpty();
        tryWell(30);
        tryWell(10);
        assertThat(plans.comesBack(left + 49)).isEmpty();
        assertThat(plans.comesBack(left + 50)).hasSize(1);
        steps(3, 1, 9, 1);
        assertThat(plans.sitsOut(step).get(SECOND)).contains("for 100 steps at least");
    }

    @Test
    void whoDiesWhileItSitsOutShouldNeitherTryNorComeBack() {
        leave();
        tryWell(10);
        tryWell(10);
        plans.leaves(SECOND);
        assertThat(plans.comesBack(step)).isEmpty();
        assertThat(plans.tries(step + 10)).isEmpty();
    }

    /** Its last steps may be told before the group without it is formed. */
    @Test
    void whoIsGoneShouldNotBeToldToSitOut() {
        plans.plan(THREE, 1, 0);
        steps(10, 1, 1, 1);
        steps(2, 1, 9, 1);
        plans.leaves(SECOND);
        steps(3, 1, 9, 1);
        assertThat(plans.sitsOut(step)).isEmpty();
    }

    /** Late steps of before are dealt with. */
    @Test
    void whoComesBackShouldBeWatchedAnew() {
        leave();
        tryWell(10);
        tryWell(10);
        assertThat(plans.comesBack(step)).hasSize(1);
        plans.plan(THREE, 3, step);
        steps(2, 1, 9, 1);
        assertThat(plans.sitsOut(step)).isEmpty();
        steps(1, 1, 9, 1);
        assertThat(plans.sitsOut(step)).containsOnlyKeys(SECOND);
    }

    /** The others are watched as before. */
    @Test
    void whereOneIsGoneAnotherShouldStillSitOut() {
        plans.plan(THREE, 1, 0);
        steps(10, 1, 1, 1);
        plans.leaves(new WorkerId(3));
        steps(3, 1, 9);
        assertThat(plans.sitsOut(step)).containsOnlyKeys(SECOND);
    }

    private void leave() {
        plans.plan(THREE, 1, 0);
        steps(10, 1, 1, 1);
        steps(3, 1, 9, 1);
        assertThat(plans.sitsOut(step)).hasSize(1);
    }

    private void tryWell(int stepsLater) {
        step += stepsLater;
        assertThat(plans.tries(step)).hasSize(1);
        plans.tried(SECOND, Measured.alone(10, 12_000_000));
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
