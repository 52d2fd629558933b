package dev.medley.plan.simulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A quota gives its part of each period once, to computing and to messages together. */
class ProcessorTest {
    private static final double QUOTA = 0.25;
    private static final long PERIOD = 100;
    private static final double GIVEN = QUOTA * PERIOD;

    private final Processor processor = new Processor(Disturbance.NONE.withQuota(QUOTA, PERIOD), 0);

    @Test
    @Tag("unit")
    void computingShouldTakeAsManyPeriodsAsItsQuotaWants() {
        // 60 of a core: 25 in the first period, 25 in the second, 10 in the third.
        assertThat(processor.compute(0, 240)).isEqualTo(210);
    }

    @Test
    @Tag("unit")
    void computingShouldGetWhatAMessageLeftOfItsPeriod() {
        assertThat(processor.handled(0, 40)).isEqualTo(115);
        // Of the second period 10 are left; 5 more in the third.
        assertThat(processor.compute(115, 60)).isEqualTo(205);
    }

    @Test
    @Tag("unit")
    void whatAMessageTookBesideComputingShouldBeMissingAfterwards() {
        assertThat(processor.compute(0, 100)).isEqualTo(25);
        assertThat(processor.handled(10, 20)).isEqualTo(30);
        processor.rest();
        assertThat(processor.compute(25, 40)).isEqualTo(205);
    }

    @Test
    @Tag("unit")
    void theNextStretchShouldEndSoMuchLaterToo() {
        assertThat(processor.compute(0, 100)).isEqualTo(25);
        assertThat(processor.handled(10, 20)).isEqualTo(30);
        assertThat(processor.compute(25, 40)).as("without a rest").isEqualTo(205);
    }

    /** Stretch after stretch, some with a rest between; messages beside them and at rest. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void noPeriodShouldGiveTwiceNorLoseWhatIsAskedFor(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double now = 0;
        double asked = 0;
        for (int i = 0; i < 200; i++) {
            double wall = random.nextDouble(400);
            double until = processor.compute(now, wall);
            asked += wall * QUOTA;
            assertThat(until).isGreaterThanOrEqualTo(now);
            for (int messages = random.nextInt(3); messages > 0; messages--) {
                double core = random.nextDouble(random.nextBoolean() ? 300 : 5);
                double handled = processor.handled(now + random.nextDouble() * (until - now), core);
                asked += core;
                assertThat(handled).isGreaterThanOrEqualTo(now);
            }
            now = until;
            if (random.nextBoolean()) {
                processor.rest();
                double core = random.nextInt(2) * random.nextDouble(40);
                now = core > 0 ? processor.handled(until, core) : until;
                asked += core;
            }
        }
        double end = processor.compute(now, 1e-6);
        // Always busy, so every period gave all that it has, but the first and the last.
        assertThat(end / PERIOD).isCloseTo(asked / GIVEN, within(2.0));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }
}
