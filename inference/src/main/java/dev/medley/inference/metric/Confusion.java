package dev.medley.inference.metric;

import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import java.util.ArrayList;
import java.util.List;

/** Counts what the samples of each class are taken for. */
final class Confusion implements BlockValues {
    /** More classes are more than anybody looks at. */
    private static final int MOST_CLASSES = 32;

    private final TargetKind kind;
    private final int classes;

    Confusion(Target target) {
        this.kind = target.kind();
        this.classes =
                switch (target.kind()) {
                    case BINARY -> 2;
                    case CLASSES -> target.outputs() <= MOST_CLASSES ? target.outputs() : 0;
                    case VALUE, VALUES, GRADE, TOKENS, NONE -> 0;
                };
    }

    @Override
    public int valuesOf(int samples) {
        return classes * classes;
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        double[] values = new double[classes * classes];
        if (classes > 0) {
            Predictions predictions = new Predictions(block, kind);
            for (int i = 0; i < predictions.count(); i++) {
                int at = predictions.truth(i) * classes + predictions.predicted(i);
                values[at] += predictions.weight(i);
            }
        }
        return values;
    }

    /** A row for each true class; empty where there are no classes, or too many. */
    List<List<Double>> rows(List<double[]> blocks) {
        double[] sums = new double[classes * classes];
        for (double[] block : blocks) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += block[i];
            }
        }
        List<List<Double>> rows = new ArrayList<>();
        for (int truth = 0; truth < classes; truth++) {
            List<Double> row = new ArrayList<>();
            for (int predicted = 0; predicted < classes; predicted++) {
                row.add(sums[truth * classes + predicted]);
            }
            rows.add(List.copyOf(row));
        }
        return List.copyOf(rows);
    }
}
