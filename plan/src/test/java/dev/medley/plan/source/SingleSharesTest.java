package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Balance;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Single decisions about shares, by times that are given. */
@Tag("unit")
class SingleSharesTest {
    private static final int BATCH = 256;

    /** Who gets more need not be sure: if it was a mistake, the next round shows it. */
    @Test
    void oneThatIsFasterShouldGetMoreForASingleRound() {
        BalancedPlan source = BalancedPlan.of(new SharePlan(BATCH, 1, List.of()), 64, 1000);
        source.joins(new WorkerId(1), List.of(tried(128, 1)));
        source.joins(new WorkerId(2), List.of(tried(128, 1)));
        source.plan(Groups.of(1, 2), 1, 0);
        for (int round = 1; round <= 4; round++) {
            source.stepped(round, roundOf(1, 1));
        }
        source.stepped(5, roundOf(1, 0.3));
        assertThat(source.wish(5)).contains("shares change");
    }

    @Test
    void roundsOfManyStepsShouldBeObservationsByThemselves() {
        SharePlan even = new SharePlan(BATCH, 1, List.of());
        assertThat(BalancedPlan.of(even, 7, 1000).speeds().window()).isEqualTo(3);
        assertThat(BalancedPlan.of(even, 8, 1000).speeds().window()).isEqualTo(1);
    }

    @Test
    void everybodyShouldHaveASampleWhereThereAreEnough() {
        assertThat(ofUneven(3)).containsExactly(2, 1);
        assertThat(ofUneven(2)).containsExactly(1, 1);
        assertThat(ofUneven(1)).containsExactly(1, 0);
    }

    /** Shares of two workers, of which one is a hundred times as fast. */
    private static List<Integer> ofUneven(int batch) {
        BalancedPlan source =
                new BalancedPlan(new SharePlan(batch, 1, List.of()), Balance.of(batch), 1000);
        source.joins(new WorkerId(1), List.of(tried(16, 1), tried(64, 1)));
        source.joins(new WorkerId(2), List.of(tried(16, 100), tried(64, 100)));
        return source.plan(Groups.of(1, 2), 1, 0).shares();
    }

    /** 40 of the 60 that it was to have; the rest goes to the others, three to one. */
    @Test
    void whatIsTooMuchForAMachineShouldGoToTheOthersInProportion() {
        BalancedPlan source =
                new BalancedPlan(
                                new SharePlan(100, 1, List.of(0.6, 0.3, 0.1)),
                                Balance.of(100),
                                1000)
                        .within(new BatchRoom(1 << 20, Long.MAX_VALUE));
        source.comes(new WorkerId(1), new MachineKind("small", (400 + 2 * 40L) << 20));
        Plan plan = source.plan(Groups.of(1, 3), 1, 0);
        assertThat(plan.shares()).containsExactly(40, 45, 15);
        assertThat(plan.why()).contains("memory has room for at most 40 on rank 0");
    }

    /** What was seen of it before is dealt with: it takes three late steps more. */
    @Test
    void aStragglerThatGotLessShouldBeWatchedAnew() {
        BalancedPlan source = shrinking(2 * 128);
        source.plan(Groups.of(1, 2), 1, 0);
        lateSteps(source, 10, 128, 1);
        lateSteps(source, 3, 128, 10);
        assertThat(source.wish(13)).contains("at once");
        int share = source.plan(Groups.of(1, 2), 2, 13).shares().get(1);
        lateSteps(source, 2, share, 100);
        assertThat(source.wish(15)).isNull();
    }

    @Test
    void aStragglerWithASingleSampleShouldKeepIt() {
        BalancedPlan source = shrinking(2);
        source.plan(Groups.of(1, 2), 1, 0);
        lateSteps(source, 10, 1, 1);
        lateSteps(source, 3, 1, 10);
        assertThat(source.wish(13)).isNull();
    }

    private static BalancedPlan shrinking(int batch) {
        SharePlan even = new SharePlan(batch, 1, List.of());
        return new BalancedPlan(even, Balance.of(batch), 100_000).shrinking(3);
    }

    /** Of two workers, of which the second takes so many times as long. */
    private static void lateSteps(BalancedPlan source, int count, int share, double times) {
        for (int i = 0; i < count; i++) {
            Measured first = Measured.alone(share, 1_000_000L * share);
            Measured second = Measured.alone(share, (long) (1e6 * share * times));
            source.stepped(i, Map.of(new WorkerId(1), first, new WorkerId(2), second));
        }
    }

    private static Map<WorkerId, Measured> roundOf(double one, double other) {
        return Map.of(new WorkerId(1), tried(128, one), new WorkerId(2), tried(128, other));
    }

    private static Measured tried(int samples, double times) {
        return Measured.alone(samples, (long) (times * (1e6 + samples * 1e6)));
    }
}
