package dev.medley.record.report;

import dev.medley.base.evaluation.CalibrationCurve;
import dev.medley.base.evaluation.ClassResults;
import dev.medley.base.evaluation.ConfusionMatrix;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.Importance;
import dev.medley.base.evaluation.RegressionResiduals;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.evaluation.ScoreCurves.Cut;
import dev.medley.base.evaluation.ScoreCurves.Decision;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.evaluation.ThresholdSpec.Maximise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A report with every section there is. */
final class SampleEvaluation {
    private static final ThresholdSpec GAINS = new ThresholdSpec(Maximise.PROFIT, 40, -5, 0, 0);
    private static final int HALF = 500;

    private SampleEvaluation() {}

    static EvaluationReport report() {
        ScoreCurves curves = curves();
        return EvaluationReport.of(
                "Validation samples after step 40",
                2 * HALF,
                Map.of("auc", curves.auc()),
                List.of(
                        ClassResults.of(
                                ConfusionMatrix.of(
                                        List.of("no", "<yes>"),
                                        List.of(List.of(400.0, 100.0), List.of(50.0, 450.0))),
                                0.4),
                        curves,
                        CalibrationCurve.of(
                                "<yes>",
                                new double[] {400, 200, 400},
                                new double[] {20, 110, 360},
                                new double[] {30, 100, 350}),
                        residuals(),
                        new Importance(
                                "auc",
                                0.9,
                                5,
                                1,
                                List.of(
                                        new Importance.Column("a<b>column", 0.1, 0.01),
                                        new Importance.Column("noise", -0.001, 0.001)))));
    }

    private static ScoreCurves curves() {
        List<Cut> cuts = new ArrayList<>();
        for (int i = 0; i <= 100; i++) {
            double wrong = i / 100.0;
            cuts.add(new Cut(1 - wrong, HALF * Math.sqrt(wrong), HALF * wrong));
        }
        return new ScoreCurves(
                "<yes>",
                HALF,
                HALF,
                0.667,
                0.7,
                List.of(
                        Decision.of(ScoreCurves.USUAL, cuts.get(50), HALF, HALF, GAINS),
                        Decision.of(ScoreCurves.MODELS, cuts.get(60), HALF, HALF, GAINS)),
                new DecisionThreshold(0.4, GAINS, 14_000),
                List.of(new ScoreCurves.Lift(0.1, 0.15, 1.5)),
                cuts);
    }

    private static RegressionResiduals residuals() {
        List<RegressionResiduals.Bin> bins = new ArrayList<>();
        List<RegressionResiduals.Point> points = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            bins.add(new RegressionResiduals.Bin(i - 20, 40 - Math.abs(i - 20)));
            points.add(new RegressionResiduals.Point(10.0 * i, i % 7 - 3));
        }
        return new RegressionResiduals(
                40, 40, 0, 2, List.of(new RegressionResiduals.Quantile(0.5, 0)), bins, points);
    }
}
