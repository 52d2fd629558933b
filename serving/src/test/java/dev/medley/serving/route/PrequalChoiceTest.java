package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.serving.route.PrequalChoice.Chosen;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule of hot and cold. */
@Tag("property")
class PrequalChoiceTest {
    private static ReplicaLoad load(String name, double inFlight, long latencyNs) {
        return new ReplicaLoad(name, inFlight, latencyNs);
    }

    @Test
    void shouldPreferTheLeastLatencyOfThoseThatAreCold() {
        List<ReplicaLoad> servers =
                List.of(load("a", 2, 9_000), load("b", 4, 3_000), load("c", 5, 1_000));
        Chosen chosen = PrequalChoice.choose(servers, 4);
        assertThat(chosen.load().name()).isEqualTo("b");
        assertThat(chosen.why())
                .startsWith("b, of 3 the one with the least latency, 3.00 µs, among those with at");
    }

    @Test
    void shouldPreferTheFewestInFlightWhereAllAreHot() {
        List<ReplicaLoad> servers =
                List.of(load("a", 7, 9_000), load("b", 6, 30_000), load("c", 8, 1_000));
        Chosen chosen = PrequalChoice.choose(servers, 4);
        assertThat(chosen.load().name()).isEqualTo("b");
        assertThat(chosen.why())
                .isEqualTo(
                        "b, of 3 that all have more than 4 in flight the one with the fewest, 6");
    }

    @Test
    void shouldTryAServerOfWhichNothingIsKnown() {
        List<ReplicaLoad> servers = List.of(load("a", 0, 1_000), load("b", 0, 0));
        assertThat(PrequalChoice.choose(servers, 0).load().name()).isEqualTo("b");
    }

    /** None that was left is better in all than the one that was taken. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldNeverTakeOneThatIsWorseInBoth(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        for (int round = 0; round < 500; round++) {
            List<ReplicaLoad> servers = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(12); i++) {
                servers.add(load("s" + i, random.nextInt(6), random.nextInt(5) * 1000L));
            }
            double hotAbove = random.nextInt(6);
            Chosen chosen = PrequalChoice.choose(servers, hotAbove);
            ReplicaLoad best = chosen.load();
            assertThat(servers.get(chosen.index())).isSameAs(best);
            for (ReplicaLoad other : servers) {
                boolean isBetter =
                        other.inFlight() < best.inFlight() && other.latencyNs() < best.latencyNs();
                assertThat(isBetter).as("%s against %s above %s", other, best, hotAbove).isFalse();
            }
            boolean isColdThere = servers.stream().anyMatch(s -> s.inFlight() <= hotAbove);
            assertThat(chosen.isCold()).isEqualTo(isColdThere);
        }
    }
}
