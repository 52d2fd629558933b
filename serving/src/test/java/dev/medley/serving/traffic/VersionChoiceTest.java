package dev.medley.serving.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.TrafficPlan;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A key stays with its version, and a version has its share of keys. */
@Tag("property")
class VersionChoiceTest {
    private static final int KEYS = 20_000;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    private static TrafficPlan canary(long salt, double share) {
        return TrafficPlan.canary(1, 2, share, salt, CanaryGoals.USUAL);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whoIsInShouldStayInWhenTheShareGrows(long seed) {
        double[] shares = {0.01, 0.05, 0.2, 0.5, 0.9, 0.999};
        boolean[] wasIn = new boolean[KEYS];
        for (double share : shares) {
            TrafficPlan plan = canary(seed, share);
            int in = 0;
            for (int key = 0; key < KEYS; key++) {
                boolean isIn = VersionChoice.of(plan, "user-" + key) == 2;
                if (wasIn[key] && !isIn) {
                    fail("user-%d is out when the share is %s", key, share);
                }
                wasIn[key] = isIn;
                in += isIn ? 1 : 0;
            }
            double spread = Math.sqrt(share * (1 - share) / KEYS);
            assertThat((double) in / KEYS).isCloseTo(share, within(5 * spread));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keysShouldMoveOnlyToAVersionThatGrows(long seed) {
        TrafficPlan before = TrafficPlan.split(1, Map.of(1, 0.5, 2, 0.3, 3, 0.2), seed);
        TrafficPlan after = TrafficPlan.split(1, Map.of(1, 0.4, 2, 0.24, 3, 0.36), seed);
        int moved = 0;
        for (int key = 0; key < KEYS; key++) {
            int was = VersionChoice.of(before, "k" + key);
            int now = VersionChoice.of(after, "k" + key);
            if (now != was && now != 3) {
                fail("k%d moved from %d to %d", key, was, now);
            }
            moved += now == was ? 0 : 1;
        }
        assertThat((double) moved / KEYS).isCloseTo(0.16, within(0.02));
        assertThat(VersionChoice.of(before, "")).isBetween(1, 3);
    }
}
