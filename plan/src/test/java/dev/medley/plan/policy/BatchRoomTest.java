package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.plan.source.BalancedPlan;
import dev.medley.plan.source.CappedPlan;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.plan.source.SharePlan;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shares under what machines have memory for. */
@Tag("property")
class BatchRoomTest {
    private static final int BATCH = 256;
    private static final BatchRoom MIB_A_SAMPLE = new BatchRoom(1 << 20, Long.MAX_VALUE);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @Test
    void halfOfTheMemoryBesideTheProcessesShouldBeForBatches() {
        assertThat(MIB_A_SAMPLE.mostSamples(1424L << 20)).isEqualTo(512);
        assertThat(MIB_A_SAMPLE.mostSamples(1)).as("less says no more").isEqualTo(1);
        assertThat(MIB_A_SAMPLE.mostSamples(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(new BatchRoom(1 << 20, 1424L << 20).mostSamples(Long.MAX_VALUE)).isEqualTo(512);
        assertThat(BatchRoom.UNLIMITED.mostSamples(1)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void capsThatAreTooFewShouldGrowInProportion() {
        assertThat(BatchRoom.holding(100, List.of(80, 40))).containsExactly(80, 40);
        assertThat(BatchRoom.holding(100, List.of(20, 20, 10))).containsExactly(40, 40, 20);
        assertThat(BatchRoom.holding(10, List.of(Integer.MAX_VALUE, 4))).containsExactly(10, 4);
    }

    /** The second machine is as fast as the first, and has memory for 64 samples. */
    @Test
    void whoIsShortOfMemoryShouldGetLessFromTheFirstPlanOn() {
        BalancedPlan plans = balanced();
        assertThat(plans.comes(new WorkerId(1), room(512))).isEqualTo(TrialScope.FULL.atMost(512));
        assertThat(plans.comes(new WorkerId(2), room(64))).isEqualTo(TrialScope.FULL.atMost(64));
        Plan even = plans.plan(Groups.of(1, 2), 1, 0);
        assertThat(even.shares()).containsExactly(192, 64);
        assertThat(even.why()).endsWith("memory has room for at most 64 on rank 1");
        plans.joins(new WorkerId(1), List.of(Measured.alone(64, 64_000_000)));
        plans.joins(new WorkerId(2), List.of(Measured.alone(64, 64_000_000)));
        Plan measured = plans.plan(Groups.of(2, 2), 2, 0);
        assertThat(measured.shares()).containsExactly(192, 64);
        assertThat(measured.why()).endsWith("memory has room for at most 64 on rank 1");
    }

    @Test
    void whereAllAreShortOfMemoryThatShouldBeSaidAndTried() {
        BalancedPlan plans = balanced();
        plans.comes(new WorkerId(1), room(128));
        plans.comes(new WorkerId(2), room(64));
        Plan plan = plans.plan(Groups.of(1, 2), 1, 0);
        assertThat(plan.shares()).allMatch(share -> share >= 85).hasSize(2);
        assertThat(plan.globalBatch()).isEqualTo(BATCH);
        assertThat(plan.why())
                .contains("at most 128 on rank 0, 64 on rank 1")
                .contains("too little for the whole");
    }

    /** However small the parts were that went through the model, so it was the share. */
    @Test
    void whereASampleAtATimeIsTooMuchTheShareShouldBeHalvedAgainAndAgain() {
        BalancedPlan balanced = balanced();
        PlanSource plans = new CappedPlan(balanced, new MemoryCaps(any -> 1));
        plans.comes(new WorkerId(1), room(256));
        plans.comes(new WorkerId(2), room(100));
        assertThat(plans.plan(Groups.of(1, 2), 1, 0).shares()).containsExactly(156, 100);
        assertThat(plans.outOfMemory("of 100"))
                .isEqualTo(
                        "shares are of at most 50 samples from now on on machines of this type: of"
                                + " 100");
        Plan second = plans.plan(Groups.of(2, 2), 2, 0);
        assertThat(second.shares()).containsExactly(206, 50);
        assertThat(second.why()).contains("memory has room for at most 50 on rank 1");
        for (int half = 25; half >= 1; half /= 2) {
            assertThat(plans.outOfMemory("of 100")).contains("at most " + half + " samples");
        }
        assertThat(plans.outOfMemory("of 100")).as("a sample cannot be cut").isNull();
    }

    @Test
    void whereSharesAreNoBatchesNothingShouldBeHalved() {
        BalancedPlan rounds = BalancedPlan.of(new SharePlan(4096, 1, List.of()), 16, 10_000);
        rounds.plan(Groups.of(1, 2), 1, 0);
        assertThat(rounds.outOfMemory("")).isNull();
    }

    /** Whatever speeds are measured, at whatever border. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noShareShouldBeAboveItsRoomWhereAllTogetherHaveRoom(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 2 + random.nextInt(4);
        BalancedPlan plans = balanced();
        List<Integer> room = new ArrayList<>();
        List<Double> nsPerSample = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            int most = i == 1 ? BATCH : 1 + random.nextInt(BATCH);
            room.add(most);
            nsPerSample.add(1e6 * (1 + 9 * random.nextDouble()));
            plans.comes(new WorkerId(i), room(most));
        }
        int version = 1;
        Plan plan = plans.plan(Groups.of(version, size), version, 0);
        for (int step = 1; step <= 100; step++) {
            for (int rank = 0; rank < size; rank++) {
                assertThat(plan.shares().get(rank)).isBetween(1, room.get(rank));
            }
            assertThat(plan.globalBatch()).isEqualTo(BATCH);
            plans.stepped(step, took(plan, nsPerSample));
            if (plans.wish(step) != null) {
                plan = plans.plan(Groups.of(++version, size), version, step);
            }
        }
        assertThat(longestNs(plan, nsPerSample))
                .as("the best that memory allows, nearly")
                .isLessThan(1.1 * bestNs(nsPerSample, room));
    }

    private static double longestNs(Plan plan, List<Double> nsPerSample) {
        return IntStream.range(0, nsPerSample.size())
                .mapToDouble(rank -> plan.shares().get(rank) * nsPerSample.get(rank))
                .max()
                .orElseThrow();
    }

    private static double bestNs(List<Double> nsPerSample, List<Integer> room) {
        return WaterFilling.longestNs(
                BATCH,
                IntStream.range(0, room.size())
                        .mapToObj(
                                rank ->
                                        new WaterFilling.Vessel(
                                                new StepTime(0, nsPerSample.get(rank)),
                                                1,
                                                room.get(rank)))
                        .toList());
    }

    private static Map<WorkerId, Measured> took(Plan plan, List<Double> nsPerSample) {
        Map<WorkerId, Measured> took = new HashMap<>();
        for (int rank = 0; rank < nsPerSample.size(); rank++) {
            int share = plan.shares().get(rank);
            long ns = (long) (1e5 + share * nsPerSample.get(rank));
            took.put(new WorkerId(rank + 1), Measured.alone(share, ns));
        }
        return took;
    }

    private static BalancedPlan balanced() {
        return BalancedPlan.of(new SharePlan(BATCH, 1, List.of()), 1, 10_000).within(MIB_A_SAMPLE);
    }

    /** A machine with memory for so many samples. */
    private static MachineKind room(int samples) {
        return new MachineKind("of " + samples, 400L + 2L * samples << 20);
    }
}
