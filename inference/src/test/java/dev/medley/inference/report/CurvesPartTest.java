package dev.medley.inference.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.evaluation.CalibrationCurve;
import dev.medley.base.evaluation.Chart;
import dev.medley.base.evaluation.ClassResults;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.evaluation.ScoreCurves.Cut;
import dev.medley.base.evaluation.ScoreCurves.Decision;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.evaluation.ThresholdSpec.Maximise;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.inference.metric.EvaluatedBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Constants are what scikit-learn 1.9.1 says of the same 400 samples, as {@link DrawnScores} makes
 * them: roc_auc_score, average_precision_score, calibration_curve, precision_recall_fscore_support
 * and confusion_matrix; the best thresholds by trying all with its f1_score and accuracy_score.
 */
@Tag("unit")
class CurvesPartTest {
    private static final Target TARGET = new Target(TargetKind.BINARY, 1, List.of("no", "yes"));
    private static final ThresholdSpec PROFIT = new ThresholdSpec(Maximise.PROFIT, 40, -25, 0, -3);
    private static final double EXACT = 1e-12;

    @Test
    void areasShouldBeThoseOfScikitLearn() {
        ScoreCurves weighted = curves(DrawnScores.of(400), 100, null, null);
        assertThat(weighted.positives()).isEqualTo(281.5);
        assertThat(weighted.negatives()).isEqualTo(408);
        assertThat(weighted.auc()).isCloseTo(0.7348576864138195, within(EXACT));
        assertThat(weighted.averagePrecision()).isCloseTo(0.6130064466403898, within(EXACT));
        ScoreCurves plain = curves(DrawnScores.of(400).unweighted(), 100, null, null);
        assertThat(plain.auc()).isCloseTo(0.7498505678421995, within(EXACT));
        assertThat(plain.averagePrecision()).isCloseTo(0.6253832647507451, within(EXACT));
    }

    @Test
    void calibrationShouldBeThatOfScikitLearn() {
        CalibrationCurve plain = calibration(DrawnScores.of(400).unweighted());
        assertThat(plain.bins())
                .extracting(CalibrationCurve.Bin::weight)
                .containsExactly(85., 31., 35., 23., 27., 18., 23., 24., 44., 90.);
        double[] observed = {
            0.11764705882352941, 0.12903225806451613, 0.3142857142857143, 0.391304347826087,
            0.4074074074074074, 0.5, 0.34782608695652173, 0.4166666666666667,
            0.6363636363636364, 0.6777777777777778
        };
        double[] predicted = {
            0.046046534228683066, 0.15194683771217352, 0.25626344395006273, 0.34112285970397005,
            0.45410714194540014, 0.562002777025558, 0.6511117605892272, 0.7507689384157424,
            0.8507994500684712, 0.951565490308102
        };
        for (int bin = 0; bin < observed.length; bin++) {
            assertThat(plain.bins().get(bin).observed()).isCloseTo(observed[bin], within(EXACT));
            assertThat(plain.bins().get(bin).predicted()).isCloseTo(predicted[bin], within(EXACT));
        }
        assertThat(plain.expectedError()).isCloseTo(0.15357097003363404, within(EXACT));
        // calibration_curve knows no weights: numpy's histograms with them.
        assertThat(calibration(DrawnScores.of(400)).expectedError())
                .isCloseTo(0.1556750430079683, within(EXACT));
    }

    @Test
    void theUsualThresholdShouldGiveWhatScikitLearnFinds() {
        ScoreCurves curves = curves(DrawnScores.of(400), 100, null, null);
        ClassResults classes = ClassResults.of(curves.confusion(TARGET.labels()), null);
        assertThat(classes.confusion().rows())
                .containsExactly(List.of(267.5, 140.5), List.of(84.5, 197.0));
        assertFigures(classes.classes().get(0), 0.75994318, 0.65563725, 0.70394737, 408);
        assertFigures(classes.classes().get(1), 0.5837037, 0.69982238, 0.6365105, 281.5);
        assertFigures(
                classes.macro(), 0.6718234427609427, 0.6777298175042663, 0.6702289346144035, 689.5);
        assertFigures(
                classes.weighted(),
                0.687990443472677,
                0.6736765772298767,
                0.6764151302294015,
                689.5);
    }

    private static void assertFigures(
            ClassResults.OfClass of, double precision, double recall, double f1, double support) {
        assertThat(of.precision()).isCloseTo(precision, within(5e-9));
        assertThat(of.recall()).isCloseTo(recall, within(5e-9));
        assertThat(of.f1()).isCloseTo(f1, within(5e-9));
        assertThat(of.support()).isEqualTo(support);
    }

    @Test
    void bestThresholdsShouldBeThoseFoundByTryingAll() {
        ScoreCurves curves = curves(DrawnScores.of(400), 100, PROFIT, null);
        assertBest(curves, "f1", Maximise.F1, 0.6734545454545454, 0.3543436883195632);
        assertBest(curves, "accuracy", Maximise.ACCURACY, 0.696881798404641, 0.7502601100623637);
        assertBest(curves, "youden", Maximise.YOUDEN, 0.3946840281405635, 0.3543436883195632);
        assertBest(curves, "profit", Maximise.PROFIT, 4747.5, 0.3543436883195632);
        assertThat(curves.chosen())
                .isEqualTo(
                        new DecisionThreshold(
                                best(curves, "profit").cut().probability(), PROFIT, 4747.5));
        assertThat(best(curves, ScoreCurves.MODELS).cut()).isEqualTo(best(curves, "profit").cut());
    }

    private static void assertBest(
            ScoreCurves curves, String name, Maximise measure, double value, double threshold) {
        Decision best = best(curves, name);
        assertThat(best.value(measure)).as(name).isCloseTo(value, within(EXACT));
        assertThat(best.cut().probability()).as(name).isCloseTo(threshold, within(1e-7));
    }

    private static Decision best(ScoreCurves curves, String name) {
        return curves.decision(name).orElseThrow();
    }

    /** Positive samples within the first tenth: numpy's interp over scikit-learn's roc_curve. */
    @Test
    void gainsShouldBeThoseOfTheRocCurve() {
        ScoreCurves curves = curves(DrawnScores.of(400), 100, null, null);
        assertThat(curves.lifts().get(3).part()).isEqualTo(0.1);
        assertThat(curves.lifts().get(3).gain()).isCloseTo(0.1582815275310835, within(EXACT));
        assertThat(curves.lifts().get(3).lift()).isCloseTo(1.582815275310835, within(EXACT));
        assertThat(curves.lifts().get(5).gain()).isCloseTo(0.4807815275310835, within(EXACT));
    }

    @Test
    void aModelsThresholdShouldDecideAsPredictionsDo() {
        DecisionThreshold given = new DecisionThreshold(0.7, ThresholdSpec.of(Maximise.F1), 0.5);
        DrawnScores drawn = DrawnScores.of(400);
        ScoreCurves curves = curves(drawn, 100, null, given);
        double found = 0;
        double wrong = 0;
        for (int i = 0; i < drawn.logits().length; i++) {
            if (given.decide(1 / (1 + Math.exp(-drawn.logits()[i]))) == 1) {
                found += drawn.labels()[i] * drawn.weights()[i];
                wrong += (1 - drawn.labels()[i]) * drawn.weights()[i];
            }
        }
        assertThat(best(curves, ScoreCurves.MODELS).cut()).isEqualTo(new Cut(0.7, found, wrong));
        assertThat(curves.confusion(TARGET.labels()).rows().get(1).get(1)).isEqualTo(found);
        assertThat(curves.chosen()).isEqualTo(given);
    }

    @Test
    void curvesShouldBeBoundedAndCloseToAllPoints() {
        DrawnScores many = spread(60_000);
        ScoreCurves curves = curves(many, 500, null, null);
        assertThat(curves.cuts()).hasSizeBetween(150, 500);
        double area = 0;
        for (int i = 1; i < curves.cuts().size(); i++) {
            Cut before = curves.cuts().get(i - 1);
            Cut now = curves.cuts().get(i);
            area +=
                    (now.falsePositives() - before.falsePositives())
                            * (now.truePositives() + before.truePositives())
                            / 2;
        }
        assertThat(area / (curves.positives() * curves.negatives()))
                .isCloseTo(curves.auc(), within(1e-4));
        assertThat(curves.cuts().get(curves.cuts().size() - 1).truePositives())
                .isEqualTo(curves.positives());
        assertThat(curves.charts())
                .extracting(Chart::name)
                .containsExactly("roc", "precision-recall", "gain", "lift", "threshold");
    }

    /** No two scores alike. */
    private static DrawnScores spread(int count) {
        DrawnScores drawn = DrawnScores.of(count);
        for (int i = 0; i < count; i++) {
            drawn.logits()[i] += i * 1e-6f;
        }
        return drawn;
    }

    @Test
    void howSamplesAreCutIntoBlocksShouldChangeNothing() {
        DrawnScores drawn = DrawnScores.of(400);
        assertThat(sections(drawn, 7, PROFIT, null)).isEqualTo(sections(drawn, 400, PROFIT, null));
    }

    @Test
    void oneClassAloneShouldHaveNoCurves() {
        float[] ones = {1, 1};
        assertThat(sections(new DrawnScores(new float[] {1, 2}, ones, ones), 2, PROFIT, null))
                .isEmpty();
    }

    private static ScoreCurves curves(
            DrawnScores drawn,
            int blockSamples,
            @Nullable ThresholdSpec choose,
            @Nullable DecisionThreshold has) {
        return (ScoreCurves) sections(drawn, blockSamples, choose, has).get(0);
    }

    private static CalibrationCurve calibration(DrawnScores drawn) {
        return (CalibrationCurve) sections(drawn, 100, null, null).get(1);
    }

    private static List<EvaluationSection> sections(
            DrawnScores drawn,
            int blockSamples,
            @Nullable ThresholdSpec choose,
            @Nullable DecisionThreshold has) {
        CurvesPart part = new CurvesPart(TARGET, choose, has);
        List<EvaluatedBlock> blocks = drawn.blocks(blockSamples);
        return part.sections(blocks.stream().map(part::values).toList());
    }
}
