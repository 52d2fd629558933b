package dev.medley.plan.efficiency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

public class LearningCurveTest {
    private static final DoubleUnaryOperator LOSS = samples -> 3 * Math.pow(1 + samples, -0.4);

    /** A loss after each 500 samples, of which one is worth so much. */
    public static LearningCurve losses(int count, double worth) {
        LearningCurve curve = new LearningCurve(false, List.of());
        for (int i = 1; i <= count; i++) {
            curve = curve.with(500.0 * i, LOSS.applyAsDouble(500.0 * i * worth));
        }
        return curve;
    }

    @Test
    @Tag("property")
    void aSampleShouldBeWorthAsMuchAsItTeaches() {
        for (long seed = 0; seed < 200; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            double worth = 0.4 + 1.4 * random.nextDouble();
            LearningCurve plain = losses(20 + random.nextInt(300), 1);
            LearningCurve other = losses(20 + random.nextInt(300), worth);
            assertThat(other.worthBeside(plain).orElseThrow())
                    .as("seed %d", seed)
                    .isCloseTo(worth, within(0.04 * worth));
            assertThat(plain.worthBeside(other).orElseThrow())
                    .as("seed %d, the other way round", seed)
                    .isCloseTo(1 / worth, within(0.04 / worth));
        }
    }

    @Test
    @Tag("unit")
    void aLuckyEvaluationShouldNotDecide() {
        LearningCurve plain = losses(40, 1);
        LearningCurve lucky = losses(20, 0.8).with(10_500, LOSS.applyAsDouble(18_000));
        assertThat(lucky.worthBeside(plain).orElseThrow()).isCloseTo(0.8, within(0.05));
    }

    @Test
    @Tag("unit")
    void tooLittleShouldSayNothing() {
        LearningCurve plain = losses(40, 1);
        assertThat(losses(4, 1).worthBeside(plain)).isEmpty();
        assertThat(losses(6, 1).worthBeside(plain)).isPresent();
        LearningCurve none = new LearningCurve(false, List.of());
        assertThat(none.worthBeside(plain)).isEmpty();
        assertThat(plain.worthBeside(none)).isEmpty();
        assertThat(plain.worthBeside(new LearningCurve(true, plain.points()))).isEmpty();
        LearningCurve unknown = none.with(500, Double.NaN).with(1_000, Double.NaN);
        assertThat(unknown.worthBeside(plain)).isEmpty();
    }

    @Test
    @Tag("unit")
    void whatStandsStillShouldBeWorthLess() {
        LearningCurve plain = losses(100, 1);
        LearningCurve stalled = losses(20, 1);
        double best = stalled.points().get(19).value();
        for (int i = 21; i <= 100; i++) {
            stalled = stalled.with(500.0 * i, best);
        }
        assertThat(stalled.worthBeside(plain).orElseThrow()).isLessThan(0.75);
    }

    /** An evaluation an epoch, beside one every 100 steps: its first is beyond most levels. */
    @Test
    @Tag("unit")
    void whatNobodySawShouldNotCount() {
        LearningCurve seldom = new LearningCurve(false, List.of());
        for (int i = 1; i <= 6; i++) {
            seldom = seldom.with(5_000.0 * i, LOSS.applyAsDouble(5_000.0 * i));
        }
        assertThat(losses(60, 0.5).worthBeside(seldom).orElseThrow()).isCloseTo(0.5, within(0.1));
        assertThat(losses(12, 0.5).worthBeside(seldom)).as("not there yet").isEmpty();
    }

    @Test
    @Tag("unit")
    void aDiscardedStepShouldTakeItsEvaluationWithIt() {
        LearningCurve curve = losses(3, 1).with(1_000, 0.5);
        assertThat(curve.points())
                .extracting(LearningCurve.Point::samples)
                .containsExactly(500.0, 1_000.0);
        assertThat(curve.points().get(1).value()).isEqualTo(0.5);
    }

    @Test
    @Tag("unit")
    void aLongCurveShouldStayBoundedAndKeepItsEnd() {
        LearningCurve curve = losses(10_000, 1);
        assertThat(curve.points()).hasSizeLessThanOrEqualTo(256);
        assertThat(curve.points().get(curve.points().size() - 1).samples()).isEqualTo(5e6);
        assertThat(losses(10_000, 0.7).worthBeside(curve).orElseThrow())
                .isCloseTo(0.7, within(0.05));
    }
}
