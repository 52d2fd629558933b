package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Plan;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.source.ReplayPlan.Recorded;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ReplayPlanTest {
    /** Three workers, from step 41 two, from step 61 three again. */
    private final ReplayPlan replay =
            new ReplayPlan(
                    List.of(recorded(1, 4, 4, 4), recorded(41, 6, 6), recorded(61, 5, 4, 3)));

    @Test
    void shouldRepeatSharesAndMicroBatchUnderItsOwnVersion() {
        Plan plan = replay.plan(Groups.of(9, 2), 17, 45);
        assertThat(plan.version()).isEqualTo(17);
        assertThat(plan.shares()).containsExactly(6, 6);
        assertThat(plan.microBatch()).isEqualTo(41);
        assertThat(plan.why()).isEqualTo("as recorded: plan of step 41");
    }

    @Test
    void shouldChangeThePlanExactlyWhereItWasChanged() {
        assertThat(replay.plan(Groups.of(1, 3), 1, 39).shares()).containsExactly(4, 4, 4);
        assertThat(replay.plan(Groups.of(1, 2), 1, 40).shares()).containsExactly(6, 6);
        assertThat(replay.plan(Groups.of(1, 2), 1, 59).shares()).containsExactly(6, 6);
        assertThat(replay.plan(Groups.of(1, 3), 1, 60).shares()).containsExactly(5, 4, 3);
    }

    @Test
    void shouldEndEachGroupBeforeTheNextPlan() {
        assertThat(replay.lastStep(0)).isEqualTo(40);
        assertThat(replay.lastStep(39)).isEqualTo(40);
        assertThat(replay.lastStep(40)).isEqualTo(60);
        assertThat(replay.lastStep(60)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldTakeAsManyWorkersAsThePlanHas() {
        assertThat(replay.groupSize(0, 5)).isEqualTo(3);
        assertThat(replay.groupSize(40, 3)).isEqualTo(2);
        assertThat(replay.groupSize(60, 2)).as("no more than there are").isEqualTo(2);
    }

    @Test
    void shouldFollowWhatWasPlannedLastForAStep() {
        ReplayPlan twice =
                new ReplayPlan(
                        List.of(
                                recorded(1, 12),
                                recorded(31, 6, 6),
                                recorded(31, 7, 5),
                                recorded(21, 8, 4)));
        assertThat(twice.plan(Groups.of(1, 1), 1, 19).shares()).containsExactly(12);
        assertThat(twice.plan(Groups.of(1, 2), 1, 20).shares())
                .as("a run that went back to a checkpoint")
                .containsExactly(8, 4);
        assertThat(twice.plan(Groups.of(1, 2), 1, 30).shares()).containsExactly(8, 4);
    }

    @Test
    void shouldRepeatTheCodecOfEachPlan() {
        StrategySpec coarse = StrategySpec.defaults().with(Compress.INT4);
        ReplayPlan switched =
                new ReplayPlan(
                        List.of(
                                recorded(1, 6, 6),
                                new Recorded(21, recorded(21, 6, 6).plan(), List.of(), coarse)));
        switched.plan(Groups.of(1, 2), 1, 0);
        assertThat(switched.strategy()).isNull();
        switched.plan(Groups.of(2, 2), 2, 20);
        assertThat(switched.strategy()).isEqualTo(coarse);
    }

    @Test
    void shouldRefuseAGroupOfAnotherSize() {
        assertThatThrownBy(() -> replay.plan(Groups.of(1, 3), 1, 40))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("step 41")
                .hasMessageContaining("2 workers, but 3");
    }

    /** Measured anew, the order of additions could be another one. */
    @Test
    void shouldRepeatWhatSumsFollowedOrThatTheyFollowedNothing() {
        MeasuredRoute route = new MeasuredRoute(List.of(0, 2, 1), 0, 0, "a slow link");
        Recorded first = recorded(1, 4, 4, 4);
        ReplayPlan routed =
                new ReplayPlan(
                        List.of(
                                new Recorded(1, first.plan().along(route), List.of()),
                                recorded(41, 6, 6)));
        assertThat(routed.plan(Groups.of(1, 3), 1, 0).route()).isEqualTo(route);
        assertThat(routed.plan(Groups.of(2, 2), 2, 40).route()).isEqualTo(MeasuredRoute.NONE);
    }

    @Test
    void shouldRepeatWhereMembersStood() {
        Recorded second = recorded(21, 8, 4);
        ReplayPlan placed =
                new ReplayPlan(
                        List.of(
                                recorded(1, 6, 6),
                                new Recorded(21, second.plan(), List.of("a", "b"))));
        List<String> declared = List.of("x", "x");
        assertThat(placed.sites(declared, 19)).as("not recorded").isEqualTo(declared);
        assertThat(placed.sites(declared, 20)).containsExactly("a", "b");
        assertThat(placed.sites(List.of("x"), 20)).as("of another group").containsExactly("x");
    }

    @Test
    void shouldRefuseARunThatNeverTrained() {
        assertThatThrownBy(() -> new ReplayPlan(List.of())).isInstanceOf(ConfigException.class);
    }

    private static Recorded recorded(long fromStep, int... shares) {
        List<Integer> list = new ArrayList<>();
        for (int share : shares) {
            list.add(share);
        }
        return new Recorded(
                fromStep,
                new Plan(1, list, (int) fromStep, "plan of step " + fromStep),
                List.of(),
                null);
    }
}
