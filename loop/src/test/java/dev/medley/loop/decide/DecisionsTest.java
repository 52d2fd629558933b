package dev.medley.loop.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.loop.spec.PromotionSpec;
import dev.medley.loop.spec.RetrainSpec;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("property")
class DecisionsTest {
    private static final PromotionSpec PROMOTION =
            new PromotionSpec("auc", 0.2, 0.95, 0, false, false, null);

    @Test
    void figuresShouldBeThoseOfTheirDefinitions() {
        double[] labels = {0, 0, 1, 1};
        double[] answers = {0.1, 0.4, 0.35, 0.8};
        assertThat(ModelComparison.figure(JudgedMetric.AUC, labels, answers)).isEqualTo(0.75);
        assertThat(ModelComparison.figure(JudgedMetric.ACCURACY, labels, answers)).isEqualTo(0.75);
        assertThat(ModelComparison.figure(JudgedMetric.LOG_LOSS, labels, answers))
                .isCloseTo(0.4722879, within(1e-7)); // scikit-learn's
        assertThat(ModelComparison.figure(JudgedMetric.AUC, labels, new double[4])).isEqualTo(0.5);
        assertThat(
                        ModelComparison.figure(
                                JudgedMetric.RMSE, new double[] {1, 2}, new double[] {1, 4}))
                .isCloseTo(Math.sqrt(2), within(1e-12));
        assertThat(
                        ModelComparison.figure(
                                JudgedMetric.MAE, new double[] {1, 2}, new double[] {1, 4}))
                .isEqualTo(1);
    }

    @Test
    void anIntervalShouldHoldTheTruthAsOftenAsItSays() {
        int inside = 0;
        int cases = 200;
        for (int seed = 0; seed < cases; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            int rows = 400;
            double[] labels = new double[rows];
            double[] one = new double[rows];
            double[] other = new double[rows];
            for (int i = 0; i < rows; i++) {
                labels[i] = random.nextGaussian();
                double shared = random.nextGaussian();
                one[i] = labels[i] + shared + random.nextGaussian();
                other[i] = labels[i] + shared + random.nextGaussian();
            }
            ModelComparison equal =
                    ModelComparison.of(JudgedMetric.RMSE, labels, one, other, 0.95, seed);
            inside += equal.low() <= 0 && equal.high() >= 0 ? 1 : 0;
        }
        // 190 are expected, with a deviation of 3.1.
        assertThat(inside).isBetween(178, 200);
    }

    @Test
    void aModelThatMayBeWorseShouldNotTakeThePlace() {
        assertThat(PromotionPolicy.first(PROMOTION).verdict())
                .isEqualTo(PromotionPolicy.Verdict.PROMOTE);
        assertThat(PromotionPolicy.withoutRows().verdict()).isEqualTo(PromotionPolicy.Verdict.KEEP);
        assertThat(promoted(gain(0.02, 0.005))).isEqualTo(PromotionPolicy.Verdict.PROMOTE);
        assertThat(promoted(gain(0.01, -0.001))).isEqualTo(PromotionPolicy.Verdict.KEEP);
        assertThat(promoted(gain(-0.02, -0.03))).isEqualTo(PromotionPolicy.Verdict.KEEP);
        assertThat(promoted(new ModelComparison(12, .5, .9, .4, .3, .5, .95)))
                .isEqualTo(PromotionPolicy.Verdict.KEEP);
        assertThat(promoted(gain(Double.NaN, Double.NaN))).isEqualTo(PromotionPolicy.Verdict.KEEP);
        PromotionSpec withMargin = new PromotionSpec("auc", 0.2, 0.95, 0.01, true, false, null);
        assertThat(PromotionPolicy.decide(withMargin, gain(0.01, -0.001)).verdict())
                .isEqualTo(PromotionPolicy.Verdict.ASK);
    }

    @Test
    void aNewModelShouldBeTrainedWhereAskedAndForWhatIsSaid() {
        RetrainSpec spec = new RetrainSpec(Duration.ofDays(7), 1000L, true, 0.05, false);
        assertThat(RetrainPolicy.decide(spec, null).why()).isEqualTo("there is no model yet");
        assertThat(decide(spec, 3, 999, List.of(), 0.8))
                .isEqualTo(
                        "no: it is 3 days old, of 7 days; 999 new labelled rows, of 1,000; no"
                            + " column has surely changed; the metric is 0.8000 and was 0.8000: 0.0"
                            + " % worse, of 5.0 %");
        assertThat(decide(spec, 8, 0, List.of(), 0.8)).startsWith("yes: it is 8 days old");
        assertThat(decide(spec, 3, 1000, List.of(), 0.8))
                .startsWith("yes: 1,000 new labelled rows");
        assertThat(decide(spec, 3, 0, List.of("age"), 0.8)).isEqualTo("yes: changed: age");
        assertThat(decide(spec, 3, 0, List.of(), 0.7))
                .contains("yes: the metric is 0.7000 and was 0.8000: 12.5 % worse");
        RetrainSpec nothing = new RetrainSpec(null, null, false, null, false);
        assertThat(decide(nothing, 900, 1 << 20, List.of("age"), 0.1))
                .isEqualTo("no: nothing in retrain: asks for one");
    }

    private static String decide(
            RetrainSpec spec, int days, long rows, List<String> drifted, double is) {
        RetrainPolicy.Decision decision =
                RetrainPolicy.decide(
                        spec,
                        new RetrainPolicy.Facts(
                                Duration.ofDays(days).toMillis(),
                                rows,
                                "",
                                drifted,
                                0.8,
                                is,
                                true));
        return (decision.isDue() ? "yes: " : "no: ") + decision.why();
    }

    private static PromotionPolicy.Verdict promoted(ModelComparison comparison) {
        return PromotionPolicy.decide(PROMOTION, comparison).verdict();
    }

    private static ModelComparison gain(double gain, double low) {
        return new ModelComparison(500, 0.8, 0.8 + gain, gain, low, 2 * gain - low, 0.95);
    }
}
