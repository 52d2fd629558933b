package dev.medley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs with seeded faults; the invariants are checked after every event. {@code
 * -Dmedley.seeds=5000} for a long night, {@code -Dmedley.seed=N} for one seed.
 */
@Tag("simulation")
class MembershipSimulationTest {
    static LongStream seeds() {
        Long one = Long.getLong("medley.seed");
        return one != null
                ? LongStream.of(one)
                : LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noStepShouldBeLostOrRepeatedWhateverDies(long seed) {
        SimulatedRun run = new SimulatedRun(seed, 1 + (int) (seed % 6), 120, (int) (seed % 17));
        assertThat(run.runToEnd()).isPositive();
        assertThat(run.epochs()).isPositive();
    }
}
