package dev.medley.inference.metric;

import java.util.List;

/** The sum of squared distances of samples to the nearest centre. */
final class Inertia implements Metric {
    private static final Metric LOSS = Metrics.loss();

    @Override
    public String name() {
        return "inertia";
    }

    @Override
    public boolean isHigherBetter() {
        return false;
    }

    @Override
    public int valuesOf(int samples) {
        return source().valuesOf(samples);
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        return source().values(block);
    }

    @Override
    public BlockValues source() {
        return LOSS.source();
    }

    @Override
    public double figure(List<double[]> blocks) {
        return blocks.stream().mapToDouble(sumAndWeight -> sumAndWeight[0]).sum();
    }
}
