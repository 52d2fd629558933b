package dev.medley.base.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Time in which a process is awake. */
class WakingTimeTest {
    private static final long GAP_NS = 300;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @Test
    @Tag("unit")
    void sleepShouldCountNoLongerThanTheGapBeforeAndAfterItIsNoticed() {
        WakingTime time = new WakingTime(1_000, GAP_NS);
        assertThat(time.at(1_200) - time.at(1_000)).isEqualTo(200);
        long before = time.at(1_000);
        assertThat(time.at(1_000_000) - before).as("not noticed yet").isEqualTo(GAP_NS);
        time.tick(1_000_000);
        assertThat(time.at(1_000_000) - before).as("noticed").isEqualTo(GAP_NS);
        assertThat(time.at(1_000_050) - before).isEqualTo(GAP_NS + 50);
    }

    /** Who looked at the clock, then slept, and only then asks. */
    @Test
    @Tag("unit")
    void aLookFromBeforeTheSleepShouldNotGoBack() {
        WakingTime time = new WakingTime(0, GAP_NS);
        long before = time.at(100);
        time.tick(1_000_000);
        assertThat(time.at(110)).isGreaterThanOrEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void itShouldNeverGoBackAndCountEveryWakingMoment(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        long now = random.nextLong(-1_000_000, 1_000_000);
        WakingTime time = new WakingTime(now, GAP_NS);
        long first = time.at(now);
        long last = first;
        long mostAwake = 0;
        long leastAwake = 0;
        for (int i = 0; i < 1_000; i++) {
            boolean sleeps = random.nextInt(10) == 0;
            long step = sleeps ? random.nextLong(1, 1_000_000) : random.nextLong(1, 50);
            now += step;
            mostAwake += sleeps ? Math.min(step, GAP_NS) : step;
            leastAwake += sleeps ? 0 : step;
            long seen = time.at(now);
            assertThat(seen).isGreaterThanOrEqualTo(last);
            last = seen;
            time.tick(now);
        }
        assertThat(last - first).isBetween(leastAwake, mostAwake);
    }
}
