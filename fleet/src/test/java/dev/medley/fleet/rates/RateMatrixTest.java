package dev.medley.fleet.rates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RateMatrixTest {
    private static final TypeSpeed FAST = new TypeSpeed("fast", 100);
    private static final TypeSpeed SLOW = new TypeSpeed("slow", 10);
    private static final JobKind SMALL = new JobKind("cnn 32", "cnn", 32);
    private static final JobKind LARGE = new JobKind("cnn 64", "cnn", 64);
    private static final JobKind OTHER = new JobKind("mlp", "mlp", 100);

    private static MeasuredRate rate(JobKind kind, TypeSpeed type, double rate) {
        return new MeasuredRate(kind, type, rate, 0.02);
    }

    @Test
    void shouldBelieveWhatWasMeasuredOfThePairItself() {
        RateMatrix matrix = RateMatrix.of(List.of(rate(SMALL, FAST, 300), rate(LARGE, FAST, 200)));
        RateEstimate estimate = matrix.estimate(SMALL, FAST);
        assertThat(estimate.rate()).isCloseTo(300, within(6.0));
        assertThat(estimate.relativeError()).isLessThan(0.03);
        assertThat(matrix.measuredError(SMALL, FAST)).hasValue(0.02);
        assertThat(matrix.measuredError(OTHER, FAST)).isEmpty();
    }

    @Test
    void shouldBeginWithTheSpeedsOfTheMachines() {
        RateMatrix matrix = RateMatrix.of(List.of(rate(SMALL, FAST, 300)));
        RateEstimate estimate = matrix.estimate(SMALL, SLOW);
        assertThat(estimate.rate()).isCloseTo(30, within(3.0));
        assertThat(estimate.relativeError()).isBetween(0.3, 2.0);
    }

    @Test
    void shouldLearnFromJobsOfItsFamilyAndBeSurer() {
        List<MeasuredRate> known = new ArrayList<>(List.of(rate(SMALL, FAST, 300)));
        double before = RateMatrix.of(known).estimate(SMALL, SLOW).relativeError();
        // Of its family the slow machine has a third of the fast one's rate, not a tenth.
        known.add(rate(LARGE, FAST, 200));
        known.add(rate(LARGE, SLOW, 66));
        RateEstimate estimate = RateMatrix.of(known).estimate(SMALL, SLOW);
        assertThat(estimate.rate()).isBetween(80.0, 110.0);
        assertThat(estimate.relativeError()).isLessThan(before / 2);
    }

    @Test
    void shouldAverageMeasurementsOfAPairByTheirErrors() {
        RateMatrix matrix =
                RateMatrix.of(
                        List.of(
                                new MeasuredRate(SMALL, FAST, 100, 0.3),
                                new MeasuredRate(SMALL, FAST, 200, 0.01)));
        assertThat(matrix.estimate(SMALL, FAST).rate()).isCloseTo(200, within(2.0));
    }

    @Test
    void shouldSayThatItKnowsNothing() {
        RateEstimate estimate = RateMatrix.of(List.of()).estimate(OTHER, SLOW);
        assertThat(estimate.relativeError()).isGreaterThan(2);
        assertThat(estimate.rate()).isFinite();
    }
}
