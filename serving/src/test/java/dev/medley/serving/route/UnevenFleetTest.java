package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.serving.route.PlayedFleet.Router;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers of speed 1:2:8, one of which gets slow in the middle, on virtual time. */
@Tag("simulation")
class UnevenFleetTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final double[] UNEVEN = {1, 2, 8};

    @ParameterizedTest
    @CsvSource({"1, 0.5", "2, 0.7", "3, 0.85", "4, 0.3", "5, 0.7"})
    void shouldBeNearlyAsGoodAsWhoKnowsTheSpeeds(long seed, double load) {
        long byTableNs = p99(seed, load, false, byTable(seed, 3), UNEVEN);
        long byOracleNs = p99(seed, load, false, PlayedFleet.oracleWeights(), UNEVEN);
        long inTurnNs = p99(seed, load, false, PlayedFleet.roundRobin(), UNEVEN);
        assertThat(byTableNs).isLessThan((long) (1.3 * byOracleNs));
        assertThat(byTableNs).isLessThan(inTurnNs / 2);
    }

    /** The fast one is half as fast from the middle on, and the oracle knows that at once. */
    @ParameterizedTest
    @CsvSource({"1, 0.3", "2, 0.4", "3, 0.5", "4, 0.4"})
    void shouldFollowAServerThatGetsSlow(long seed, double load) {
        long byTableNs = p99(seed, load, true, byTable(seed, 3), UNEVEN);
        long byOracleNs = p99(seed, load, true, PlayedFleet.oracleWeights(), UNEVEN);
        long inTurnNs = p99(seed, load, true, PlayedFleet.roundRobin(), UNEVEN);
        assertThat(byTableNs).isLessThan((long) (1.3 * byOracleNs));
        assertThat(byTableNs).isLessThan(inTurnNs / 2);
    }

    /** More servers than the pool has room for: probes are used again, and the worst removed. */
    @ParameterizedTest
    @CsvSource({"1, 0.5", "2, 0.7"})
    void shouldChooseWellAmongMoreServersThanItKeepsProbesOf(long seed, double load) {
        double[] many =
                DoubleStream.iterate(0, i -> i + 1)
                        .limit(45)
                        .map(i -> UNEVEN[(int) i % 3])
                        .toArray();
        long byTableNs = p99(seed, load, false, byTable(seed, many.length), many);
        long byOracleNs = p99(seed, load, false, PlayedFleet.oracleWeights(), many);
        assertThat(byTableNs).isLessThan((long) (1.3 * byOracleNs));
    }

    private static Router byTable(long seed, int servers) {
        return new PlayedFleet.ByTable(RouterSettings.usual(), seed, servers);
    }

    private static long p99(
            long seed, double load, boolean isSlowed, Router router, double[] speeds) {
        PlayedFleet fleet = new PlayedFleet(seed, speeds);
        long halfNs = (speeds.length > 3 ? 10 : 30) * SECOND_NS;
        if (isSlowed) {
            fleet.slowed(2, 4, halfNs);
        }
        List<Long> latencies = fleet.run(router, load, 2 * halfNs);
        double sum = Arrays.stream(speeds).sum();
        assertThat(latencies.size()).isGreaterThan((int) (load * sum * halfNs / SECOND_NS));
        return PlayedFleet.quantileNs(latencies, 0.99);
    }
}
