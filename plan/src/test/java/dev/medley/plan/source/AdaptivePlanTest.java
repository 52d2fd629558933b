package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Balance;
import dev.medley.plan.policy.BatchPolicy;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeGuess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a batch that follows the noise is asked for, and what is handed on to who cuts it. */
@Tag("unit")
class AdaptivePlanTest {
    private static final SharePlan EVEN = new SharePlan(64, 1024, 1, List.of());
    private static final BatchPolicy GROWING = BatchPolicy.of(64, 1024);

    /** A step takes as long as it has samples: a larger one teaches no more a second. */
    @Test
    void aBatchShouldStayWhereStepsHaveNothingButSamples() {
        AdaptivePlan source = AdaptivePlan.of(EVEN, GROWING);
        assertThat(steps(source)).isEqualTo(64);
        assertThat(source.wish(100)).isNull();
    }

    @Test
    void aBatchShouldStayAsLongAsAWorkerIsUnknown() {
        AdaptivePlan source = AdaptivePlan.of(EVEN, GROWING);
        source.plan(Groups.of(1, 2), 1, 0);
        for (int step = 1; step <= 50; step++) {
            source.noised(new NoiseSample(1, 1e9));
            source.stepped(step, Map.of(new WorkerId(1), step(32, 0)));
            assertThat(source.wish(step)).isNull();
        }
    }

    @Test
    void aWishForABatchShouldStayUntilItIsGranted() {
        AdaptivePlan source = AdaptivePlan.of(EVEN, GROWING);
        source.plan(Groups.of(1, 2), 1, 0);
        String why = null;
        for (int step = 1; why == null && step < 500; step++) {
            source.noised(new NoiseSample(1, 1e9));
            source.stepped(step, both(step(32, 0)));
            why = source.wish(step);
        }
        assertThat(why).isNotNull();
        source.stepped(99, both(step(32, 0)));
        assertThat(source.wish(99)).isEqualTo(why);
        assertThat(source.plan(Groups.of(2, 2), 2, 99).why()).startsWith(why);
        assertThat(source.wish(99)).isNull();
    }

    @Test
    void whatCutsABatchShouldHearOfGuessesAndOfMemory() {
        AdaptivePlan source =
                AdaptivePlan.of(balanced().within(new BatchRoom(1, Long.MAX_VALUE)), GROWING);
        source.comes(new WorkerId(1), Groups.kind("one"));
        source.guessed(new WorkerId(1), guess(1e6));
        source.guessed(new WorkerId(2), guess(3e6));
        assertThat(source.plan(Groups.of(1, 2), 1, 0).shares()).containsExactly(48, 16);
        assertThat(source.outOfMemory("one")).contains("at most 24 samples");
    }

    /** A machine that joins may hold a later state than the last checkpoint. */
    @Test
    void aRunShouldGoOnWithTheBatchOfTheStepThatItHasComeTo() {
        assertThat(plannedAfter(100).globalBatch()).isEqualTo(64);
        assertThat(plannedAfter(100).learningRateScale()).isEqualTo(1);
        assertThat(plannedAfter(150).globalBatch()).isEqualTo(128);
        assertThat(plannedAfter(150).learningRateScale()).isEqualTo(2);
        assertThat(plannedAfter(120).globalBatch()).isEqualTo(64);
    }

    private static Plan plannedAfter(long step) {
        return AdaptivePlan.of(EVEN, GROWING)
                .goingOn(
                        List.of(
                                new AdaptivePlan.Before(1, 64, 1),
                                new AdaptivePlan.Before(121, 128, 2)),
                        100)
                .plan(Groups.of(1, 2), 1, step);
    }

    private static StepTimeGuess guess(double betaNs) {
        return new StepTimeGuess(new StepTime(0, betaNs), 1, 64, 100, 0);
    }

    private static Map<WorkerId, Measured> both(Measured each) {
        return Map.of(new WorkerId(1), each, new WorkerId(2), each);
    }

    /** The batch after a hundred steps of two workers, in a gradient of nothing but noise. */
    private static int steps(AdaptivePlan source) {
        Plan plan = source.plan(Groups.of(1, 2), 1, 0);
        for (int step = 1; step <= 100; step++) {
            source.noised(new NoiseSample(1, 1e9));
            int share = plan.shares().get(0);
            source.stepped(step, both(new Measured(share, (long) (1e6 * share), 0, 1000, 0)));
            if (source.wish(step) != null) {
                plan = source.plan(Groups.of(1, 2), step + 1, step);
            }
        }
        return plan.globalBatch();
    }

    private static BalancedPlan balanced() {
        return new BalancedPlan(EVEN, Balance.of(64), 1_000_000);
    }

    private static Measured step(int share, int rank) {
        return new Measured(share, (long) ((2e6 + 1e4 * share) * (rank + 1)), 0, 1_000_000, 0);
    }
}
