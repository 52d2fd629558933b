package dev.medley.profile.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StepTimeGuessTest {
    private static final StepTimeGuess GUESS =
            new StepTimeGuess(new StepTime(1e6, 1e4), 50, 200, 30, 1_000);

    @Test
    void shouldKeepItsShapeThroughWhatWasMeasured() {
        StepTime measured = GUESS.through(100, 8e6);
        assertThat(measured.predictNs(100)).isCloseTo(8e6, within(1.0));
        assertThat(measured.alphaNs()).as("half of a share of 100, as before").isEqualTo(4e6);
    }

    @Test
    void shouldSayNothingOfTheShapeWhereSharesWereAlike() {
        assertThat(GUESS.hasShape()).isTrue();
        assertThat(new StepTimeGuess(GUESS.line(), 100, 120, 30, 1_000).hasShape()).isFalse();
    }

    @Test
    void severalMachinesShouldCountByTheirSteps() {
        StepTimeGuess other = new StepTimeGuess(new StepTime(4e6, 4e4), 20, 60, 60, 500);
        StepTimeGuess both = GUESS.and(other);
        assertThat(both.line().alphaNs()).isCloseTo(3e6, within(1.0));
        assertThat(both.line().betaNs()).isCloseTo(3e4, within(1.0));
        assertThat(both)
                .extracting(StepTimeGuess::leastShare, StepTimeGuess::largestShare)
                .containsExactly(20, 200);
        assertThat(both.wallMillis()).as("as old as the older").isEqualTo(500);
    }

    @Test
    void shouldNotBeWhatNoMachineDoes() {
        assertThatThrownBy(() -> new StepTimeGuess(new StepTime(0, 0), 1, 2, 3, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StepTimeGuess(new StepTime(1, 1), 3, 2, 3, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFitOfOneShareShouldTakeTheShapeOfAGuessAndNotItsLevel() {
        StepTimeFit fit = StepTimeFit.unknown(0).after(100, 8e6).shapedBy(GUESS).after(100, 8e6);
        assertThat(fit.line().alphaNs()).isCloseTo(4e6, within(1e4));
        assertThat(fit.line().predictNs(100)).isCloseTo(8e6, within(1e4));
    }
}
