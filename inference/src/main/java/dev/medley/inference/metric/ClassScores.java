package dev.medley.inference.metric;

import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import java.util.List;

/**
 * Computes precision, recall or F1. Of two classes it takes those of the second, the positive one;
 * of several the mean over the classes that occur, each counting alike (macro). Where a class
 * occurs and nothing was found of it, it counts 0. Not a number where no class counts.
 */
final class ClassScores implements Metric {
    /** The score that is computed. */
    enum Kind {
        PRECISION,
        RECALL,
        F1
    }

    private static final int OF_CLASS = 3;

    private final Kind kind;
    private final TargetKind target;
    private final int classes;

    ClassScores(Kind kind, Target target) {
        this.kind = kind;
        this.target = target.kind();
        this.classes = target.kind() == TargetKind.BINARY ? 2 : target.outputs();
    }

    @Override
    public String name() {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public boolean isHigherBetter() {
        return true;
    }

    @Override
    public int valuesOf(int samples) {
        return OF_CLASS * classes;
    }

    /** Of each class what is true, what is predicted, and what is both. */
    @Override
    public double[] values(EvaluatedBlock block) {
        Predictions predictions = new Predictions(block, target);
        double[] values = new double[OF_CLASS * classes];
        for (int i = 0; i < predictions.count(); i++) {
            int truth = predictions.truth(i);
            int predicted = predictions.predicted(i);
            double weight = predictions.weight(i);
            values[OF_CLASS * truth] += weight;
            values[OF_CLASS * predicted + 1] += weight;
            values[OF_CLASS * truth + 2] += truth == predicted ? weight : 0;
        }
        return values;
    }

    @Override
    public double figure(List<double[]> blocks) {
        double[] sums = new double[OF_CLASS * classes];
        for (double[] block : blocks) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += block[i];
            }
        }
        if (target == TargetKind.BINARY) {
            return ofClass(sums, 1);
        }
        double sum = 0;
        int occurring = 0;
        for (int c = 0; c < classes; c++) {
            double figure = ofClass(sums, c);
            if (!Double.isNaN(figure)) {
                sum += figure;
                occurring++;
            }
        }
        return sum / occurring;
    }

    private double ofClass(double[] sums, int c) {
        double actual = sums[OF_CLASS * c];
        double predicted = sums[OF_CLASS * c + 1];
        double both = sums[OF_CLASS * c + 2];
        if (actual + predicted == 0) {
            return Double.NaN;
        }
        double of =
                switch (kind) {
                    case PRECISION -> predicted;
                    case RECALL -> actual;
                    case F1 -> (actual + predicted) / 2;
                };
        return of == 0 ? 0 : both / of;
    }
}
