package dev.medley.base.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.StreamSpec;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FragmentScheduleTest {
    @Test
    @Tag("unit")
    void fragmentsShouldLandEvenlyAndLeaveTheOverlapBefore() {
        assertThat(FragmentSchedule.of(64, 64, new StreamSpec(4, 0)))
                .isEqualTo(new FragmentSchedule(List.of(16, 32, 48, 64), List.of(16, 32, 48, 64)));
        assertThat(FragmentSchedule.of(64, 64, new StreamSpec(4, 6)))
                .isEqualTo(new FragmentSchedule(List.of(10, 26, 42, 58), List.of(16, 32, 48, 64)));
        assertThat(FragmentSchedule.of(64, 64, new StreamSpec(1, 20)))
                .isEqualTo(new FragmentSchedule(List.of(44), List.of(64)));
    }

    @Test
    @Tag("unit")
    void aSlowWorkerShouldLetFragmentsLeaveAtTheSameTimeOfARound() {
        assertThat(FragmentSchedule.of(32, 64, new StreamSpec(4, 6)))
                .isEqualTo(new FragmentSchedule(List.of(5, 13, 21, 29), List.of(8, 16, 24, 32)));
    }

    @Test
    @Tag("unit")
    void aWorkerWithOneBatchShouldExchangeAfterIt() {
        assertThat(FragmentSchedule.of(1, 64, new StreamSpec(3, 4)))
                .isEqualTo(new FragmentSchedule(List.of(1, 1, 1), List.of(1, 1, 1)));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void oneFragmentShouldTravelAtATimeAndTheLastLandAtTheEnd(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int own = 1 + random.nextInt(100);
        int clocks = 1 + random.nextInt(100);
        StreamSpec stream = new StreamSpec(1 + random.nextInt(9), random.nextInt(20));
        FragmentSchedule schedule = FragmentSchedule.of(own, clocks, stream);
        int before = 0;
        for (int p = 0; p < stream.fragments(); p++) {
            assertThat(schedule.leaves().get(p)).isBetween(before, schedule.lands().get(p));
            before = schedule.lands().get(p);
        }
        assertThat(before).isEqualTo(own);
    }
}
