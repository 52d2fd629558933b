package dev.medley.control.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.WorkerId;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.control.watch.StepMerger;
import dev.medley.net.control.WorkerStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class VerdictTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);

    private final List<String> seen = new ArrayList<>();
    private final StepMerger merger =
            new StepMerger(
                    (epoch, steps) ->
                            seen.add(steps.values().iterator().next().step() + "x" + steps.size()));
    private final Verdict verdict = new Verdict(merger, new RunWatcher() {});

    @Test
    void membersThatHaveStoppedShouldBeHeardBeforeTheirLastStepsAreGivenOut() {
        merger.formed(1, Set.of(ONE, TWO), 0);
        merger.add(1, ONE, List.of(step(1), step(2)));
        verdict.stopped(2);
        assertThat(seen).isEmpty();
        merger.add(1, TWO, List.of(step(1)));
        verdict.end(RunOutcome.Kind.INTERRUPTED, "interrupted");
        assertThat(seen).containsExactly("1x2", "2x1");
        RunOutcome outcome = verdict.outcome();
        assertThat(outcome).isNotNull();
        assertThat(outcome.step()).isEqualTo(2);
    }

    private static WorkerStep step(long number) {
        return new WorkerStep(number, 1, 1, 1, 1, 8, 4, 0, 1, 1, 0, 0, 0, 0, 0, 0, null);
    }
}
