package dev.medley.api.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TrialTest {
    private static List<StepRecord> steps(long... stepMs) {
        return LongStream.of(stepMs).mapToObj(TrialTest::step).toList();
    }

    private static StepRecord step(long ms) {
        long ns = ms * 1_000_000;
        WorkerTimes worker = new WorkerTimes(1, 8, ns / 2, ns / 4, ns / 8, ns / 8, 0, 0);
        return new StepRecord(1, 0, 1, 1, 0.5, 1e-3, null, 8, 0, ns, List.of(worker, worker));
    }

    @Test
    void shouldCountTheWarmHalfOnly() {
        Trial trial = Trial.of(steps(900, 500, 100, 80, 9, 8, 8, 7));
        assertThat(trial.steps()).isEqualTo(4);
        assertThat(trial.stepNs()).isEqualTo(8_000_000);
        assertThat(trial.computeNs()).isEqualTo(4_000_000);
        assertThat(trial.isUnsure()).isFalse();
    }

    @Test
    void shouldSayThatScatteredStepsAreUnsure() {
        assertThat(Trial.of(steps(1, 1, 1, 1, 8, 8, 8, 100)).isUnsure()).isTrue();
        assertThat(Trial.of(steps(1, 1, 1, 1, 2, 8, 14, 20)).isUnsure()).isTrue();
        assertThat(Trial.of(steps(7)).isUnsure()).isFalse();
    }

    @Test
    void shouldEndEarlyWhereManyStepsAreAlike() {
        long[] alike = LongStream.range(0, 256).map(step -> step < 64 ? 90 : 8).toArray();
        assertThat(Trial.isSettled(steps(alike))).isTrue();
        assertThat(Trial.isSettled(steps(8, 8, 8, 8))).isFalse();
        long[] quicker = LongStream.range(0, 256).map(step -> step < 192 ? 110 : 100).toArray();
        assertThat(Trial.isSettled(steps(quicker))).isFalse();
        long[] scattered = LongStream.range(0, 256).map(step -> 1 + step % 16).toArray();
        assertThat(Trial.isSettled(steps(scattered))).isFalse();
    }
}
