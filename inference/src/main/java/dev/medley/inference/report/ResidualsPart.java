package dev.medley.inference.report;

import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.RegressionResiduals;
import dev.medley.base.evaluation.RegressionResiduals.Bin;
import dev.medley.base.evaluation.RegressionResiduals.Point;
import dev.medley.base.evaluation.RegressionResiduals.Quantile;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.Predictions;
import dev.medley.inference.metric.ReportPart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Computes the residuals of a regression from some ten thousand samples at most. Three doubles
 * each: what is predicted, what is true, and the weight. Of more samples every so many-th of each
 * block is looked at.
 *
 * @param samples of the whole evaluation
 */
record ResidualsPart(long samples) implements ReportPart {
    /** What the histogram and quantiles of a million would show, ten thousand show as well. */
    private static final int MOST_LOOKED_AT = 10_000;

    private static final int MOST_POINTS = 500;
    private static final int BINS = 40;
    private static final int OF_SAMPLE = 3;
    private static final List<Double> QUANTILES = List.of(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99);

    private record Looked(double predicted, double residual, double weight) {}

    private int stride() {
        return (int) Math.max(1, (samples + MOST_LOOKED_AT - 1) / MOST_LOOKED_AT);
    }

    @Override
    public int valuesOf(int count) {
        return OF_SAMPLE * ((count + stride() - 1) / stride());
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        Predictions predictions = new Predictions(block, TargetKind.VALUE);
        double[] values = new double[valuesOf(block.samples())];
        for (int i = 0, at = 0; i < predictions.count(); i += stride(), at += OF_SAMPLE) {
            values[at] = predictions.output(i);
            values[at + 1] = predictions.value(i);
            values[at + 2] = predictions.weight(i);
        }
        return values;
    }

    @Override
    public List<EvaluationSection> sections(List<double[]> blocks) {
        List<Looked> looked = new ArrayList<>();
        for (double[] block : blocks) {
            for (int at = 0; at < block.length; at += OF_SAMPLE) {
                if (block[at + 2] > 0) {
                    looked.add(new Looked(block[at], block[at + 1] - block[at], block[at + 2]));
                }
            }
        }
        if (looked.isEmpty()) {
            return List.of();
        }
        double weights = looked.stream().mapToDouble(Looked::weight).sum();
        double mean = looked.stream().mapToDouble(r -> r.weight() * r.residual()).sum() / weights;
        double squares =
                looked.stream()
                        .mapToDouble(r -> r.weight() * Math.pow(r.residual() - mean, 2))
                        .sum();
        List<Looked> byResidual = new ArrayList<>(looked);
        byResidual.sort(Comparator.comparingDouble(Looked::residual));
        return List.of(
                new RegressionResiduals(
                        looked.size(),
                        samples,
                        mean,
                        Math.sqrt(squares / weights),
                        quantiles(byResidual, weights),
                        bins(byResidual, weights),
                        points(looked)));
    }

    private static List<Quantile> quantiles(List<Looked> sorted, double weights) {
        return QUANTILES.stream().map(q -> new Quantile(q, below(sorted, q * weights))).toList();
    }

    /** The least residual that, with all below it, weighs so much. */
    private static double below(List<Looked> sorted, double weight) {
        double sum = 0;
        for (Looked each : sorted) {
            sum += each.weight();
            if (sum >= weight) {
                return each.residual();
            }
        }
        return sorted.get(sorted.size() - 1).residual();
    }

    /** All but the outermost hundredth, half of it on either side, decide about the width. */
    private static List<Bin> bins(List<Looked> sorted, double weights) {
        double low = below(sorted, 0.005 * weights);
        double high = below(sorted, 0.995 * weights);
        int count = high > low ? BINS : 1;
        double width = (high - low) / count;
        double[] sums = new double[count];
        for (Looked each : sorted) {
            int bin = width > 0 ? (int) Math.floor((each.residual() - low) / width) : 0;
            sums[Math.max(0, Math.min(count - 1, bin))] += each.weight();
        }
        List<Bin> bins = new ArrayList<>();
        for (int b = 0; b < count; b++) {
            bins.add(new Bin(low + (b + 0.5) * width, sums[b]));
        }
        return bins;
    }

    private static List<Point> points(List<Looked> looked) {
        int each = (looked.size() + MOST_POINTS - 1) / MOST_POINTS;
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < looked.size(); i += each) {
            points.add(new Point(looked.get(i).predicted(), looked.get(i).residual()));
        }
        points.sort(Comparator.comparingDouble(Point::predicted));
        return points;
    }
}
