package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Lateness;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StragglersTest {
    private final Speeds usual = new Speeds();
    private final Stragglers stragglers = new Stragglers(3);

    /** Of the others, not of all: their middle is 1, and with itself it would be 4. */
    @Test
    void oneShouldBeComparedWithTheOthersAlone() {
        learn(1, 1, 1);
        stragglers.stepped(step(9, 1, 4), usual);
        assertThat(stragglers.of(new WorkerId(1)).isLate()).isTrue();
        assertThat(stragglers.of(new WorkerId(2)).isLate()).isFalse();
    }

    @Test
    void oneWithoutSamplesShouldNotBeLate() {
        learn(1, 1, 1);
        Map<WorkerId, Measured> step = new HashMap<>(step(1, 1, 1));
        step.put(new WorkerId(1), Measured.alone(0, 900_000_000));
        stragglers.stepped(step, usual);
        assertThat(stragglers.of(new WorkerId(1))).isEqualTo(Lateness.NONE);
    }

    private void learn(double... times) {
        for (int i = 0; i < 6; i++) {
            usual.stepped(step(times));
        }
    }

    private static Map<WorkerId, Measured> step(double... times) {
        Map<WorkerId, Measured> step = new HashMap<>();
        for (int i = 0; i < times.length; i++) {
            step.put(new WorkerId(i + 1), Measured.alone(10, (long) (1e7 * times[i])));
        }
        return step;
    }
}
