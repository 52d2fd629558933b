package dev.medley.inference.metric;

import java.util.List;

/**
 * Computes the area under the ROC curve of a binary classifier. It is the chance that a positive
 * sample scores above a negative one, ties counting one half (Mann and Whitney 1947). Exact: it
 * needs every sample's score. Not a number if one of the classes is missing.
 */
final class Auc implements Metric {
    @Override
    public String name() {
        return "auc";
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
        double inOrder = 0;
        double negatives = 0;
        double positives = 0;
        Scores.Levels level = Scores.ascending(blocks);
        while (level.next()) {
            inOrder += level.positive() * (negatives + level.negative() / 2);
            negatives += level.negative();
            positives += level.positive();
        }
        return inOrder / (positives * negatives);
    }
}
