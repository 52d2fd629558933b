package dev.medley.inference.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.evaluation.CalibrationCurve;
import dev.medley.base.evaluation.Chart;
import dev.medley.base.evaluation.ClassCurves;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ForecastErrors;
import dev.medley.base.evaluation.ForecastErrors.Column;
import dev.medley.base.evaluation.ForecastErrors.Example;
import dev.medley.base.evaluation.ForecastErrors.Step;
import dev.medley.base.evaluation.RegressionResiduals;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.inference.metric.Blocks;
import dev.medley.inference.metric.EvaluatedBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Confidence of several classes, and residuals of numbers. */
@Tag("unit")
class OtherPartsTest {
    @Test
    void confidenceShouldBeComparedWithWhatIsRight() {
        float high = (float) Math.log(8); // Probability 0.8 of three classes.
        float low = (float) Math.log(2); // 0.5.
        EvaluatedBlock first =
                Blocks.weighing(
                        Blocks.ofClasses(new float[] {high, 0, 0, 0, high, 0, 0, 0, low}, 0, 2, 2),
                        3,
                        1,
                        2);
        EvaluatedBlock second = Blocks.weighing(Blocks.ofClasses(new float[] {0, 0, low}, 1), 2);
        ConfidencePart part = new ConfidencePart();
        CalibrationCurve found =
                (CalibrationCurve)
                        part.sections(List.of(part.values(first), part.values(second))).get(0);
        assertThat(found.bins()).hasSize(2);
        assertThat(found.bins().get(0).predicted()).isCloseTo(0.5, within(1e-7));
        assertThat(found.bins().get(0).observed()).isEqualTo(0.5);
        assertThat(found.bins().get(1).predicted()).isCloseTo(0.8, within(1e-7));
        assertThat(found.bins().get(1).observed()).isEqualTo(0.75);
        assertThat(found.expectedError()).isCloseTo(0.05 * 4 / 8, within(1e-7));
    }

    /** Figures of scikit-learn's roc_auc_score and average_precision_score, with these weights. */
    @Test
    void eachClassShouldHaveItsCurvesAgainstTheOthers() {
        Target target = new Target(TargetKind.CLASSES, 4, List.of("a", "b", "c", "never"));
        List<EvaluatedBlock> blocks = new ArrayList<>();
        for (int b = 0; b < 5; b++) {
            float[] logits = new float[80];
            long[] truths = new long[20];
            float[] weights = new float[20];
            for (int i = 0; i < 20; i++) {
                int n = 20 * b + i;
                truths[i] = n * 7 % 3;
                weights[i] = 1 + n % 2;
                for (int c = 0; c < 4; c++) {
                    logits[4 * i + c] = (n * (c + 3) * 37 % 19) / 8f + (truths[i] == c ? 1 : 0);
                }
            }
            blocks.add(Blocks.weighing(Blocks.ofClasses(logits, truths), weights));
        }
        ClassCurves curves = curves(new OneAgainstRestPart(target, 100, 10_000), blocks);
        assertThat(curves.classes())
                .extracting(ClassCurves.OfClass::name)
                .containsExactly("a", "b", "c");
        assertThat(curves.classes().get(0).auc()).isCloseTo(0.9039413745, within(1e-6));
        assertThat(curves.classes().get(1).averagePrecision())
                .isCloseTo(0.8755805372, within(1e-6));
        assertThat(curves.classes().get(2).support()).isEqualTo(49);
        List<Double> rising = curves.classes().get(0).truePositiveRates();
        assertThat(rising).hasSize(101).isSorted().endsWith(1.0);
        assertThat(curves.charts())
                .extracting(Chart::name)
                .containsExactly("class-roc", "class-precision-recall");
        assertThat(Json.bind(Json.tree(curves), EvaluationSection.class)).isEqualTo(curves);

        ClassCurves some = curves(new OneAgainstRestPart(target, 100, 300), blocks);
        assertThat(some.looked()).isEqualTo(50);
        assertThat(some.sentences().get(0))
                .endsWith("Looked at were 50 of 100 samples, at equal distances.");
    }

    private static ClassCurves curves(OneAgainstRestPart part, List<EvaluatedBlock> blocks) {
        return (ClassCurves) part.sections(blocks.stream().map(part::values).toList()).get(0);
    }

    @Test
    void forecastsShouldBeJudgedByRowAheadAndByColumn() {
        ForecastPart part = ForecastPart.of(List.of("load", "price"), 4);
        EvaluatedBlock one =
                Blocks.ofWindows(new float[] {1, 2, 3, 4}, new float[] {1, 0, 3, 1}, 1);
        EvaluatedBlock two =
                Blocks.ofWindows(
                        new float[] {0, 0, 0, 0, 5, 5, 5, 5},
                        new float[] {0, 0, 0, 0, 5, 6, 5, 5},
                        2);
        ForecastErrors found =
                (ForecastErrors) part.sections(List.of(part.values(one), part.values(two))).get(0);
        assertThat(found.windows()).isEqualTo(3);
        assertThat(found.steps())
                .containsExactly(new Step(1, 5.0 / 6, 0.5), new Step(2, 9.0 / 6, 0.5));
        assertThat(found.columns())
                .containsExactly(new Column("load", 0, 0), new Column("price", 14.0 / 6, 1));
        assertThat(found.examples()).hasSize(4);
        assertThat(found.examples().get(1))
                .isEqualTo(new Example("price", List.of(2.0, 4.0), List.of(0.0, 1.0)));
        assertThat(found.charts()).hasSize(5);
    }

    @Test
    void residualsShouldCountWeights() {
        EvaluatedBlock first =
                Blocks.weighing(Blocks.of(new float[] {1, 5}, new float[] {3, 4}), 1, 3);
        EvaluatedBlock second =
                Blocks.weighing(Blocks.of(new float[] {0, 9}, new float[] {0, 99}), 4, 0);
        RegressionResiduals found = residuals(new ResidualsPart(4), List.of(first, second));
        assertThat(found.looked()).isEqualTo(3);
        assertThat(found.mean()).isEqualTo(-1 / 8.0);
        assertThat(found.deviation()).isCloseTo(Math.sqrt(7 / 8.0 - 1 / 64.0), within(1e-12));
        assertThat(found.quantiles())
                .contains(
                        new RegressionResiduals.Quantile(0.25, -1),
                        new RegressionResiduals.Quantile(0.5, 0));
        assertThat(found.points())
                .containsExactly(
                        new RegressionResiduals.Point(0, 0),
                        new RegressionResiduals.Point(1, 2),
                        new RegressionResiduals.Point(5, -1));
        assertThat(found.bins()).hasSize(40);
        assertThat(found.bins().stream().mapToDouble(RegressionResiduals.Bin::weight).sum())
                .isEqualTo(8);
    }

    @Test
    void ofManySamplesEverySoManyThShouldBeLookedAt() {
        int count = 40_000;
        List<EvaluatedBlock> blocks = new ArrayList<>();
        for (int from = 0; from < count; from += 500) {
            float[] truth = new float[500];
            for (int i = 0; i < truth.length; i++) {
                truth[i] = from + i;
            }
            blocks.add(Blocks.of(new float[500], truth));
        }
        ResidualsPart part = new ResidualsPart(count);
        assertThat(part.valuesOf(500)).isEqualTo(3 * 125);
        RegressionResiduals found = residuals(part, blocks);
        assertThat(found.looked()).isEqualTo(10_000);
        assertThat(found.points()).hasSizeLessThanOrEqualTo(500);
        assertThat(found.quantiles().get(3).residual()).isCloseTo(20_000, within(10.0));
        assertThat(found.sentences()).anyMatch(s -> s.contains("Of 40,000 samples, 10,000"));
    }

    @Test
    void equalResidualsShouldBeOneBar() {
        RegressionResiduals found =
                residuals(
                        new ResidualsPart(2),
                        List.of(Blocks.of(new float[] {1, 2}, new float[] {2, 3})));
        assertThat(found.bins()).containsExactly(new RegressionResiduals.Bin(1, 2));
    }

    private static RegressionResiduals residuals(ResidualsPart part, List<EvaluatedBlock> blocks) {
        return (RegressionResiduals)
                part.sections(blocks.stream().map(part::values).toList()).get(0);
    }
}
