package dev.medley.examples;

import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.Metric;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Computes how many times as many positives are among the best tenth of the scores as among all.
 */
public final class LiftAtTen implements Metric {
    private record Sample(double score, double positive) {}

    @Override
    public String name() {
        return "lift_at_10";
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
        List<Sample> samples = new ArrayList<>();
        for (double[] block : blocks) {
            for (int i = 0; i < block.length; i += 2) {
                samples.add(new Sample(block[i], block[i + 1]));
            }
        }
        samples.sort(Comparator.comparingDouble(Sample::score).reversed());
        int best = Math.max(1, samples.size() / 10);
        double among = samples.stream().limit(best).mapToDouble(Sample::positive).sum() / best;
        double all = samples.stream().mapToDouble(Sample::positive).average().orElse(Double.NaN);
        return among / all;
    }
}
