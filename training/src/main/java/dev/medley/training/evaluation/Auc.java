package dev.medley.training.evaluation;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Area under the ROC curve of a binary classifier: the chance that a positive sample scores above a
 * negative one, ties counting one half (Mann and Whitney 1947). Exact: it needs every sample's
 * score. Not a number if one of the classes is missing.
 */
final class Auc implements Metric {
    private record Scored(double score, boolean positive) {}

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
        return 2 * samples;
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        FloatBuffer outputs = block.outputs().data().buffer().asFloatBuffer();
        FloatBuffer target = block.target().data().buffer().asFloatBuffer();
        double[] values = new double[2 * block.samples()];
        for (int i = 0; i < block.samples(); i++) {
            values[2 * i] = outputs.get(i);
            values[2 * i + 1] = target.get(i);
        }
        return values;
    }

    @Override
    public double figure(List<double[]> blocks) {
        List<Scored> samples = new ArrayList<>();
        for (double[] block : blocks) {
            for (int i = 0; i < block.length; i += 2) {
                samples.add(new Scored(block[i], block[i + 1] > 0.5));
            }
        }
        samples.sort(Comparator.comparingDouble(Scored::score));
        double rankSum = 0;
        long positives = 0;
        for (int from = 0; from < samples.size(); ) {
            int to = from;
            long positivesHere = 0;
            while (to < samples.size() && samples.get(to).score() == samples.get(from).score()) {
                positivesHere += samples.get(to++).positive() ? 1 : 0;
            }
            rankSum += positivesHere * (from + 1 + to) / 2.0;
            positives += positivesHere;
            from = to;
        }
        double negatives = samples.size() - (double) positives;
        return (rankSum - positives * (positives + 1) / 2.0) / (positives * negatives);
    }
}
