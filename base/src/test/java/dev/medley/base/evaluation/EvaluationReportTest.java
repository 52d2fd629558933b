package dev.medley.base.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.evaluation.ScoreCurves.Cut;
import dev.medley.base.evaluation.ScoreCurves.Decision;
import dev.medley.base.evaluation.ThresholdSpec.Maximise;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A report with every section there is. */
@Tag("unit")
class EvaluationReportTest {
    private static final ThresholdSpec GAINS = new ThresholdSpec(Maximise.PROFIT, 40, -5, 0, -1);
    private static final List<Cut> CUTS =
            List.of(
                    new Cut(0.9001, 0, 0),
                    new Cut(0.9, 2, 0),
                    new Cut(0.4, 3, 1),
                    new Cut(0.1, 3, 5));

    static EvaluationReport report() {
        ConfusionMatrix matrix =
                ConfusionMatrix.of(
                        List.of("no", "yes"), List.of(List.of(4.0, 1.0), List.of(0.0, 3.0)));
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("auc", 0.93);
        figures.put("com.acme.Own", Double.NaN);
        ScoreCurves curves =
                new ScoreCurves(
                        "yes",
                        3,
                        5,
                        0.93,
                        0.9,
                        List.of(
                                Decision.of(ScoreCurves.USUAL, CUTS.get(1), 3, 5, GAINS),
                                Decision.of("profit", CUTS.get(2), 3, 5, GAINS),
                                Decision.of(ScoreCurves.MODELS, CUTS.get(2), 3, 5, GAINS)),
                        new DecisionThreshold(0.4, GAINS, 115),
                        List.of(new ScoreCurves.Lift(0.1, 0.26, 2.6)),
                        CUTS);
        return EvaluationReport.of(
                "Validation samples after step 12",
                8,
                figures,
                List.of(
                        ClassResults.of(matrix, 0.4),
                        curves,
                        CalibrationCurve.of(
                                "yes",
                                new double[] {5, 3},
                                new double[] {1, 2.5},
                                new double[] {0, 3}),
                        new RegressionResiduals(
                                2,
                                2,
                                0.5,
                                1,
                                List.of(new RegressionResiduals.Quantile(0.5, 0)),
                                List.of(
                                        new RegressionResiduals.Bin(0, 1),
                                        new RegressionResiduals.Bin(1, 1)),
                                List.of(
                                        new RegressionResiduals.Point(1, 1),
                                        new RegressionResiduals.Point(2, 0))),
                        new Importance(
                                "auc",
                                0.93,
                                5,
                                1,
                                List.of(new Importance.Column("age", 0.1, 0.01)))));
    }

    @Test
    void shouldBeTheSameFromJson() {
        EvaluationReport report = report();
        String json = Json.line(report);
        assertThat(json)
                .contains("\"com.acme.Own\":null")
                .contains("\"kind\":\"classes\"", "\"kind\":\"curves\"", "\"kind\":\"residuals\"");
        assertThat(Json.parse(json, EvaluationReport.class)).isEqualTo(report);
        assertThat(Json.bindWhole(Json.tree(report), EvaluationReport.class)).isEqualTo(report);
    }

    @Test
    void everySectionShouldHaveWhatPagesAndTerminalsShow() {
        Set<String> charts = new HashSet<>();
        for (EvaluationSection section : report().sections()) {
            assertThat(section.title()).isNotBlank();
            assertThat(section.tables()).isNotEmpty().allMatch(t -> t.text().lines().count() > 1);
            section.charts().forEach(chart -> assertThat(charts.add(chart.name())).isTrue());
        }
        assertThat(charts)
                .contains("roc", "precision-recall", "gain", "lift", "threshold", "profit")
                .contains("calibration", "probabilities", "residuals", "residual-histogram");
    }

    @Test
    void theModelsOwnThresholdShouldBeSaid() {
        ScoreCurves curves = report().section(ScoreCurves.class).orElseThrow();
        assertThat(curves.sentences().get(1))
                .isEqualTo(
                        "The model says yes from a probability of at least 0.4000, which maximised"
                                + " profit on the validation samples (115.00).");
        assertThat(curves.tables().get(0).text()).contains("best profit", "model's", "115");
        assertThat(curves.confusion(List.of("no", "yes")).rows())
                .containsExactly(List.of(4.0, 1.0), List.of(0.0, 3.0));
    }

    /** Constants from scikit-learn 1.9.1, precision_recall_fscore_support of the same labels. */
    @Test
    void figuresOfClassesShouldBeThoseOfScikitLearn() {
        int[] truth = {0, 1, 2, 2, 1, 0, 2, 1, 0, 2, 2, 1};
        int[] taken = {0, 2, 2, 2, 1, 0, 1, 1, 1, 2, 0, 1};
        double[][] counts = new double[3][3];
        for (int i = 0; i < truth.length; i++) {
            counts[truth[i]][taken[i]]++;
        }
        ClassResults found =
                ClassResults.of(
                        ConfusionMatrix.of(
                                List.of(),
                                java.util.Arrays.stream(counts)
                                        .map(r -> List.of(r[0], r[1], r[2]))
                                        .toList()),
                        null);
        assertThat(found.classes())
                .extracting(ClassResults.OfClass::precision)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 5e-9 ? 0 : 1)
                .containsExactly(0.66666667, 0.6, 0.75);
        assertThat(found.classes())
                .extracting(ClassResults.OfClass::recall)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 5e-9 ? 0 : 1)
                .containsExactly(0.66666667, 0.75, 0.6);
        assertThat(found.macro().precision()).isCloseTo(0.6722222222222222, within(1e-12));
        assertThat(found.macro().f1()).isCloseTo(0.6666666666666666, within(1e-12));
        assertThat(found.weighted().precision()).isCloseTo(0.6791666666666667, within(1e-12));
        assertThat(found.weighted().support()).isEqualTo(12);
    }

    @Test
    void aClassThatNeitherOccursNorIsFoundShouldNotCountInMeans() {
        ClassResults found =
                ClassResults.of(
                        ConfusionMatrix.of(
                                List.of(),
                                List.of(
                                        List.of(1.0, 0.0, 0.0),
                                        List.of(0.0, 0.0, 0.0),
                                        List.of(0.0, 0.0, 2.0))),
                        null);
        assertThat(found.macro().f1()).isEqualTo(1);
        assertThat(found.classes().get(1).precision()).isZero();
    }

    @Test
    void aThresholdShouldBeValidByConstruction() {
        assertThatThrownBy(() -> ThresholdSpec.of(Maximise.PROFIT))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("train.threshold: profit needs what samples bring");
        assertThatThrownBy(() -> new ThresholdSpec(Maximise.F1, 1, 0, 0, 0))
                .hasMessageContaining("go with maximise: profit, and only there");
        ThresholdSpec f1 = ThresholdSpec.of(Maximise.F1);
        new Target(TargetKind.BINARY, 1, List.of("a", "b")).requireTwoClasses("train.threshold");
        Target ten = new Target(TargetKind.CLASSES, 10, List.of());
        assertThatThrownBy(() -> ten.requireTwoClasses("train.threshold"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "train.threshold: decides between two classes, and what is predicted here"
                                + " is one of 10 classes; leave it out");
        assertThat(new DecisionThreshold(0.3, f1, 0.6).decide(0.3)).isEqualTo(1);
        assertThat(new DecisionThreshold(0.3, f1, 0.6).decide(Math.nextDown(0.3))).isZero();
    }
}
