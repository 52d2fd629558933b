package dev.medley.training.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.strategy.WorkDone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of work that missed its round. */
@Tag("unit")
class LateWorkTest {
    private static final QuorumSpec GATE = QuorumSpec.of(1).gating(0.5, 2);

    private final Span start = values(3, 5);

    private static Span values(double... values) {
        Span span = Span.allocate((long) values.length * Double.BYTES);
        span.buffer().asDoubleBuffer().put(values);
        return span;
    }

    private static LateWork work(QuorumSpec gate) {
        return new LateWork(gate, ElementType.FLOAT64, 2 * Double.BYTES);
    }

    private void miss(LateWork late, double weight, int steps, double... now) {
        WorkDone done = new WorkDone(new StepLoss(2 * weight, weight), steps, 10L * steps);
        late.missed(start, values(now), done);
    }

    private static double[] added(LateWork late, double... fresh) {
        Span sum = values(fresh);
        late.addTo(sum);
        double[] result = new double[fresh.length];
        sum.buffer().asDoubleBuffer().get(result);
        return result;
    }

    @Test
    void aMissedChangeShouldGoIntoTheNextSumThroughTheGate() {
        LateWork late = work(GATE);
        assertThat(added(late, 1, 1)).containsExactly(1, 1);
        miss(late, 6, 3, 1, 4);
        assertThat(late.age()).isEqualTo(1);
        double gate = GATE.lateFactor(1);
        assertThat(added(late, 10, 20))
                .containsExactly(new double[] {10 + 2 * 2 * gate, 20 + 2 * gate}, within(1e-12));
        assertThat(late.loss()).isEqualTo(new StepLoss(12, 6));
        assertThat(late.weightedSteps()).isEqualTo(18);
        assertThat(late.samples()).isEqualTo(30);
        late.clear();
        assertThat(added(late, 1, 1)).containsExactly(1, 1);
        assertThat(late.weightedSteps()).isZero();
    }

    @Test
    void ofSeveralRoundsItShouldHaveTheAgeOfTheOldest() {
        LateWork late = work(GATE);
        miss(late, 6, 3, 1, 4);
        miss(late, 4, 2, 2, 5);
        assertThat(late.age()).isEqualTo(2);
        double gate = GATE.lateFactor(2);
        assertThat(added(late, 0, 0))
                .containsExactly(new double[] {(2 * 2 + 2 * 1) * gate, 2 * gate}, within(1e-12));
        assertThat(late.loss().weight()).isEqualTo(10);
        assertThat(late.weightedSteps()).isEqualTo(18 + 8);
    }

    @Test
    void whatGetsTooOldShouldBeDroppedButNotWhatIsYoung() {
        LateWork late = work(GATE);
        miss(late, 6, 3, 1, 4);
        miss(late, 6, 3, 1, 4);
        miss(late, 4, 2, 2, 5);
        assertThat(late.age()).isEqualTo(1);
        double gate = GATE.lateFactor(1);
        assertThat(added(late, 0, 0)).containsExactly(new double[] {2 * gate, 0}, within(1e-12));
        assertThat(late.loss().weight()).isEqualTo(4);
    }

    @Test
    void aRoundWithoutABatchShouldAgeWhatIsHeldAndAddNothing() {
        LateWork late = work(GATE);
        miss(late, 0, 0, 3, 5);
        assertThat(late.age()).isZero();
        miss(late, 6, 3, 1, 4);
        miss(late, 0, 0, 3, 5);
        assertThat(late.age()).isEqualTo(2);
        assertThat(late.loss().weight()).isEqualTo(6);
    }

    @Test
    void shouldKeepNothingWhereLateWorkIsDropped() {
        LateWork late = work(QuorumSpec.of(1).gating(0.5, 0));
        miss(late, 6, 3, 1, 4);
        assertThat(late.age()).isZero();
        assertThat(added(late, 1, 1)).containsExactly(1, 1);
    }
}
