package dev.medley.inference.metric;

import dev.medley.base.job.Signature.TargetKind;
import java.util.List;

/**
 * Computes the share of the target's variance that predictions explain: 1 less the squared errors
 * over the squared deviations from the mean. Below 0 where the mean would be better. Not a number
 * if all targets are equal. Blocks give means and squares around them, which are joined without the
 * loss of digits that sums of squares have (Chan, Golub and LeVeque 1983).
 */
final class RSquared implements Metric {
    @Override
    public String name() {
        return "r2";
    }

    @Override
    public boolean isHigherBetter() {
        return true;
    }

    @Override
    public int valuesOf(int samples) {
        return 4;
    }

    /** Squared errors, weight, mean, and squares around the mean. */
    @Override
    public double[] values(EvaluatedBlock block) {
        Predictions predictions = new Predictions(block, TargetKind.VALUE);
        double errors = 0;
        double weights = 0;
        double sum = 0;
        for (int i = 0; i < predictions.count(); i++) {
            double error = predictions.output(i) - predictions.value(i);
            errors += predictions.weight(i) * error * error;
            weights += predictions.weight(i);
            sum += predictions.weight(i) * predictions.value(i);
        }
        double mean = weights > 0 ? sum / weights : 0;
        double squares = 0;
        for (int i = 0; i < predictions.count(); i++) {
            double off = predictions.value(i) - mean;
            squares += predictions.weight(i) * off * off;
        }
        return new double[] {errors, weights, mean, squares};
    }

    @Override
    public double figure(List<double[]> blocks) {
        double errors = 0;
        double weights = 0;
        double mean = 0;
        double squares = 0;
        for (double[] block : blocks) {
            double all = weights + block[1];
            if (block[1] > 0) {
                double apart = block[2] - mean;
                squares += block[3] + apart * apart * weights * block[1] / all;
                mean += apart * block[1] / all;
            }
            weights = all;
            errors += block[0];
        }
        return squares > 0 ? 1 - errors / squares : Double.NaN;
    }
}
