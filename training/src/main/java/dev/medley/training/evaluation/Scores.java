package dev.medley.training.evaluation;

import dev.medley.base.job.Signature.TargetKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Scores of a binary classifier, of every sample: what the areas under its curves are made of. */
final class Scores {
    /** What the samples of one score count, by what they are. */
    record Level(double score, double negative, double positive) {}

    private record Scored(double score, boolean positive, double weight) {}

    private static final int OF_SAMPLE = 3;

    private Scores() {}

    static int valuesOf(int samples) {
        return OF_SAMPLE * samples;
    }

    static double[] values(EvaluatedBlock block) {
        Predictions predictions = new Predictions(block, TargetKind.BINARY);
        double[] values = new double[valuesOf(block.samples())];
        for (int i = 0; i < block.samples(); i++) {
            values[OF_SAMPLE * i] = predictions.output(i);
            values[OF_SAMPLE * i + 1] = predictions.truth(i);
            values[OF_SAMPLE * i + 2] = predictions.weight(i);
        }
        return values;
    }

    /** By score; both zeros are one. */
    static List<Level> ascending(List<double[]> blocks) {
        List<Scored> samples = new ArrayList<>();
        for (double[] block : blocks) {
            for (int i = 0; i < block.length; i += OF_SAMPLE) {
                samples.add(new Scored(block[i] + 0.0, block[i + 1] > 0.5, block[i + 2]));
            }
        }
        samples.sort(Comparator.comparingDouble(Scored::score));
        List<Level> levels = new ArrayList<>();
        for (int from = 0; from < samples.size(); ) {
            double score = samples.get(from).score();
            double negative = 0;
            double positive = 0;
            while (from < samples.size() && samples.get(from).score() == score) {
                Scored sample = samples.get(from++);
                negative += sample.positive() ? 0 : sample.weight();
                positive += sample.positive() ? sample.weight() : 0;
            }
            levels.add(new Level(score, negative, positive));
        }
        return levels;
    }
}
