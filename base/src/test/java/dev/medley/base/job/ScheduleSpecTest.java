package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.ScheduleSpec.Kind;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleSpecTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldRiseOnceThenNeverRiseAgain(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        double floor = random.nextBoolean() ? 0 : random.nextDouble();
        double drop = 0.1 + 0.9 * random.nextDouble();
        ScheduleSpec schedule =
                new ScheduleSpec(
                                kind,
                                random.nextInt(60),
                                0.25 + random.nextDouble() * 4,
                                drop,
                                floor)
                        .withWarmupShare(0.05 + 0.5 * random.nextDouble());
        long total = 1 + random.nextInt(400);
        long perEpoch = 1 + random.nextInt(50);
        long warmup = Math.min(schedule.warmupSteps(), (long) (total * schedule.warmupShare()));
        double before = 0;
        for (long step = 1; step <= total; step++) {
            double factor = schedule.factor(step, total, perEpoch);
            assertThat(factor).as("step %d", step).isGreaterThan(0).isLessThanOrEqualTo(1);
            if (step <= warmup) {
                assertThat(factor).isGreaterThan(before);
                assertThat(step < warmup || factor == 1).as("full rate at its end").isTrue();
            } else if (step > warmup + 1) {
                assertThat(factor).isLessThanOrEqualTo(before);
            }
            before = factor;
        }
        if (kind == Kind.COSINE) {
            assertThat(before).isGreaterThanOrEqualTo(floor);
        }
    }

    @Test
    @Tag("unit")
    void cosineShouldPassHalfwayAtHalfTimeAndEndAtItsFloor() {
        ScheduleSpec cosine = new ScheduleSpec(Kind.COSINE, 0, 1, 1, 0.2);
        assertThat(cosine.factor(1, 1000, 1)).isEqualTo(1);
        assertThat(cosine.factor(501, 1000, 1)).isCloseTo(0.6, within(1e-12));
        assertThat(cosine.factor(251, 1000, 1))
                .isCloseTo(0.2 + 0.4 * (1 + Math.sqrt(0.5)), within(1e-12));
        assertThat(cosine.factor(1000, 1000, 1)).isCloseTo(0.2, within(1e-5));
        assertThat(cosine.factor(5000, 1000, 1)).isEqualTo(0.2);
    }

    @Test
    @Tag("unit")
    void stepsShouldDropAfterSoManyEpochs() {
        ScheduleSpec drops = new ScheduleSpec(Kind.STEP, 0, 2, 0.5, 0);
        assertThat(drops.factor(20, 1000, 10)).isEqualTo(1);
        assertThat(drops.factor(21, 1000, 10)).isEqualTo(0.5);
        assertThat(drops.factor(40, 1000, 10)).isEqualTo(0.5);
        assertThat(drops.factor(41, 1000, 10)).isEqualTo(0.25);
    }

    @Test
    @Tag("unit")
    void shouldBeConstantWhereOnlyTimeLimits() {
        assertThat(ScheduleSpec.defaults().factor(1_000_000, Long.MAX_VALUE, 10)).isEqualTo(1);
        ScheduleSpec cosine = new ScheduleSpec(Kind.COSINE, 100, 1, 1, 0);
        assertThat(cosine.factor(50, Long.MAX_VALUE, 10)).isEqualTo(0.5);
        assertThat(cosine.factor(1_000_000, Long.MAX_VALUE, 10)).isCloseTo(1, within(1e-9));
    }

    @Test
    @Tag("unit")
    void shouldRefuseWhatIsNoSchedule() {
        assertRefused(() -> new ScheduleSpec(Kind.STEP, -1, 1, 1, 0), "warmup=-1");
        assertRefused(() -> new ScheduleSpec(Kind.STEP, 0, 0, 1, 0), "every=0.0");
        assertRefused(() -> new ScheduleSpec(Kind.STEP, 0, 1, 1.5, 0), "factor=1.5");
        assertRefused(() -> new ScheduleSpec(Kind.COSINE, 0, 1, 1, -0.1), "floor=-0.1");
    }

    private static void assertRefused(Runnable making, String message) {
        assertThatThrownBy(making::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }
}
