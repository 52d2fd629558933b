package dev.medley.inference.report;

import dev.medley.base.evaluation.CalibrationCurve;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.inference.metric.BlockValues;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.ReportPart;
import dev.medley.inference.metric.Scores;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the curves and the calibration of a binary classifier from all scores, in one pass from
 * the highest on. Where one of the two classes is missing there are no curves.
 *
 * @param target with the names of the two classes
 * @param choose what a threshold is to be chosen for; null for none
 * @param has the model's own threshold; null for none
 */
record CurvesPart(Target target, @Nullable ThresholdSpec choose, @Nullable DecisionThreshold has)
        implements ReportPart {
    @Override
    public int valuesOf(int samples) {
        return Scores.SOURCE.valuesOf(samples);
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        return Scores.SOURCE.values(block);
    }

    @Override
    public BlockValues source() {
        return Scores.SOURCE;
    }

    @Override
    public List<EvaluationSection> sections(List<double[]> blocks) {
        Sums sums = Sums.of(blocks);
        if (sums.positives() == 0 || sums.negatives() == 0) {
            return List.of();
        }
        String positive = target.labels().size() == 2 ? target.labels().get(1) : "1";
        double own = has == null ? Double.NaN : has.probability();
        ThresholdSpec gains = has == null ? choose : has.by();
        CurvePass pass = new CurvePass(sums.positives(), sums.negatives(), gains, own);
        double[] weights = new double[CalibrationCurve.BINS];
        double[] probabilities = new double[CalibrationCurve.BINS];
        double[] events = new double[CalibrationCurve.BINS];
        Scores.Levels level = Scores.descending(blocks);
        while (level.next()) {
            double probability = probability(level.score());
            pass.take(probability, level.positive(), level.negative());
            int bin = CalibrationCurve.binOf(probability);
            double weight = level.positive() + level.negative();
            weights[bin] += weight;
            probabilities[bin] += weight * probability;
            events[bin] += level.positive();
        }
        ScoreCurves curves = pass.curves(positive, has, choose);
        return List.of(curves, CalibrationCurve.of(positive, weights, probabilities, events));
    }

    /** As a prediction has it. */
    private static double probability(double score) {
        return 1 / (1 + Math.exp(-score));
    }

    private record Sums(double positives, double negatives) {
        static Sums of(List<double[]> blocks) {
            double positives = 0;
            double negatives = 0;
            for (double[] block : blocks) {
                for (int i = 1; i < block.length; i += 2) {
                    positives += Math.max(0, block[i]);
                    negatives += Math.max(0, -block[i]);
                }
            }
            return new Sums(positives, negatives);
        }
    }
}
