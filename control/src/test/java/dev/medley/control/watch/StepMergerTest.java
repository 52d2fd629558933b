package dev.medley.control.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.WorkerId;
import dev.medley.net.control.WorkerStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StepMergerTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    private final List<String> seen = new ArrayList<>();
    private final StepMerger merger = new StepMerger(this::see);

    private void see(int epoch, Map<WorkerId, WorkerStep> steps) {
        long step = steps.values().iterator().next().step();
        seen.add(epoch + "/" + step + "x" + steps.size());
    }

    @Test
    void shouldGiveOutAStepWhenAllMembersHaveSpoken() {
        merger.formed(1, Set.of(ONE, TWO), 0);
        merger.add(1, ONE, List.of(step(1), step(2)));
        assertThat(seen).isEmpty();
        merger.add(1, TWO, List.of(step(1)));
        assertThat(seen).containsExactly("1/1x2");
    }

    @Test
    void shouldKeepTheLastStepOfALostGroupThoughItIsToldLate() {
        merger.formed(1, Set.of(ONE, TWO), 0);
        merger.add(1, ONE, List.of(step(1)));
        merger.add(1, TWO, List.of(step(1)));
        merger.formed(2, Set.of(ONE), 2);
        merger.add(1, ONE, List.of(step(2)));
        merger.add(2, ONE, List.of(step(3)));
        assertThat(seen).containsExactly("1/1x2", "1/2x1", "2/3x1");
    }

    @Test
    void shouldForgetStepsThatWereNotCommitted() {
        merger.formed(1, Set.of(ONE, TWO), 0);
        merger.add(1, TWO, List.of(step(1), step(2)));
        merger.formed(2, Set.of(ONE), 1);
        merger.add(1, TWO, List.of(step(2)));
        merger.add(2, ONE, List.of(step(2)));
        assertThat(seen).containsExactly("1/1x1", "2/2x1");
    }

    private static WorkerStep step(long number) {
        return new WorkerStep(number, 1, 1, 1, 1, 8, 4, 0, 1, 1, 0, 0, 0, 0, 0, 0, null);
    }
}
