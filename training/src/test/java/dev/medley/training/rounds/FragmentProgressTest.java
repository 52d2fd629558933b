package dev.medley.training.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.FragmentSums;
import dev.medley.training.strategy.NormalizedAveraging;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FragmentProgressTest {
    private final FragmentProgress progress = new FragmentProgress(2);

    @Test
    void eachStepShouldCountOnceForEachFragment() {
        progress.begin();
        assertThat(progress.factor(0)).as("nothing is done").isZero();
        progress.took(weighing(3));
        progress.took(weighing(5));
        assertThat(progress.factor(0)).isEqualTo(NormalizedAveraging.factor(8, 2));
        assertThat(progress.left(0)).isEqualTo(new FragmentSums(8, 16));
        progress.took(weighing(2));
        assertThat(progress.left(0)).as("since it left").isEqualTo(new FragmentSums(2, 2));
        assertThat(progress.left(1)).isEqualTo(new FragmentSums(10, 30));
    }

    @Test
    void aDiscardedRoundShouldLeaveNoTrace() {
        progress.begin();
        progress.took(weighing(4));
        progress.begin();
        var unused = progress.left(0);
        progress.took(weighing(7));
        progress.discarded();
        assertThat(progress.left(0)).isEqualTo(new FragmentSums(4, 4));
        assertThat(progress.left(1)).isEqualTo(new FragmentSums(4, 4));
    }

    @Test
    void aNewGroupShouldBeginWithNothing() {
        progress.begin();
        progress.took(weighing(4));
        progress.beginAnew();
        assertThat(progress.left(0)).isEqualTo(new FragmentSums(0, 0));
        assertThat(progress.factor(1)).isZero();
    }

    private static StepLoss weighing(double weight) {
        return new StepLoss(1, weight);
    }
}
