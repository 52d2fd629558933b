package dev.medley.inference.metric;

import java.util.List;

/**
 * Computes the area under the curve of precision over recall of a binary classifier, as average
 * precision. It is the sum of the precisions at each score, weighted by the recall that the score
 * adds, without a straight line between two points, which would be too kind (Davis and Goadrich
 * 2006). Exact, ties as one point. Not a number if there is no positive sample.
 */
final class AveragePrecision implements Metric {
    @Override
    public String name() {
        return "pr_auc";
    }

    @Override
    public boolean isHigherBetter() {
        return true;
    }

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
    public double figure(List<double[]> blocks) {
        double found = 0;
        double taken = 0;
        double sum = 0;
        Scores.Levels level = Scores.descending(blocks);
        while (level.next()) {
            found += level.positive();
            taken += level.positive() + level.negative();
            if (level.positive() > 0) {
                sum += level.positive() * (found / taken);
            }
        }
        return sum / found;
    }
}
