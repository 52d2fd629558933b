package dev.medley.inference.report;

import dev.medley.base.evaluation.CalibrationCurve;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.Predictions;
import dev.medley.inference.metric.ReportPart;
import java.util.Arrays;
import java.util.List;

/**
 * Computes the calibration of a classifier of several classes: whether the class that is said is
 * right as often as its probability says. Of each bin a block gives the weight of its samples,
 * their probabilities, and the weight of those that are right.
 */
record ConfidencePart() implements ReportPart {
    private static final int OF_BIN = 3;

    @Override
    public int valuesOf(int samples) {
        return OF_BIN * CalibrationCurve.BINS;
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        Predictions predictions = new Predictions(block, TargetKind.CLASSES);
        double[] values = new double[OF_BIN * CalibrationCurve.BINS];
        float[] logits = new float[predictions.width()];
        for (int i = 0; i < predictions.count(); i++) {
            predictions.outputs(i, logits);
            int said = predictions.predicted(i);
            double probability = probability(logits, said);
            double weight = predictions.weight(i);
            int at = OF_BIN * CalibrationCurve.binOf(probability);
            values[at] += weight;
            values[at + 1] += weight * probability;
            values[at + 2] += said == predictions.truth(i) ? weight : 0;
        }
        return values;
    }

    /** Of the largest of them, by softmax. */
    private static double probability(float[] logits, int largest) {
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp((double) logit - logits[largest]);
        }
        return 1 / sum;
    }

    @Override
    public List<EvaluationSection> sections(List<double[]> blocks) {
        double[][] sums = new double[OF_BIN][CalibrationCurve.BINS];
        for (double[] block : blocks) {
            for (int i = 0; i < block.length; i++) {
                sums[i % OF_BIN][i / OF_BIN] += block[i];
            }
        }
        boolean isEmpty = Arrays.stream(sums[0]).sum() == 0;
        return isEmpty
                ? List.of()
                : List.of(CalibrationCurve.of("the class that is said", sums[0], sums[1], sums[2]));
    }
}
