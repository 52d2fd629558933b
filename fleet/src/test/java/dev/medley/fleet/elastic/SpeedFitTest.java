package dev.medley.fleet.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.fleet.elastic.measured.MadeTraces;
import dev.medley.fleet.elastic.measured.StepCost;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SpeedFitTest {
    @Test
    void shouldFitWhatItTriedAndThinkTheRestCheap() {
        Map<JobAgent.Shape, StepCost> seen = new HashMap<>();
        for (int workers : new int[] {1, 2, 4}) {
            for (int local : new int[] {16, 64}) {
                seen.put(new JobAgent.Shape(1, workers, local), MadeTraces.cost(1, workers, local));
            }
        }
        SpeedFit fit = new SpeedFit(seen);
        assertThat(fit.at(1, 3, 100).stepS())
                .isCloseTo(MadeTraces.cost(1, 3, 100).stepS(), within(1e-9));
        assertThat(fit.at(2, 8, 64).syncS())
                .isCloseTo(1.1 * MadeTraces.cost(1, 8, 64).syncS(), within(1e-9));
    }
}
