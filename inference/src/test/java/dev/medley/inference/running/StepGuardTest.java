package dev.medley.inference.running;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which steps stand, and which are taken back. */
@Tag("unit")
class StepGuardTest {
    private static StepGuard.Verdict judged(
            double before, double norm, double after, double usual) {
        return StepGuard.judge(new StepGuard.Figures(before, norm, after, usual));
    }

    @Test
    void aStepThatHelpsOrIsOfSurprisingRowsShouldStand() {
        assertThat(judged(0.7, 1, 0.6, 0.7).isKept()).isTrue();
        assertThat(judged(0.7, 1, 0.9, Double.NaN).isKept()).isTrue();
        assertThat(judged(90, 1e9, 80, 0.1).isKept()).isTrue(); // What rows mean has changed.
        assertThat(judged(0, 0, 0, 0).isKept()).isTrue();
    }

    @Test
    void aStepThatExplodesOrIsNotFiniteShouldBeTakenBackWithAReason() {
        assertThat(judged(Double.NaN, 1, 1, 1).why()).contains("NaN before the step");
        assertThat(judged(1, Double.POSITIVE_INFINITY, 1, 1).why()).contains("gradient");
        assertThat(judged(1, 1, Double.NaN, 1).isKept()).isFalse();
        assertThat(judged(0.5, 1, 5.1, 0.4).why()).contains("from 0.5000 to 5.100");
        assertThat(judged(0.5, 1, 5.1, 0.4).isKept()).isFalse();
        assertThat(judged(0.5, 1, 5.1, 2).isKept()).isTrue();
    }
}
