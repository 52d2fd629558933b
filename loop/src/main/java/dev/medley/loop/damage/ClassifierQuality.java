package dev.medley.loop.damage;

import dev.medley.base.ConfigException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holds how well a classifier of two classes does. Without outcomes it is expected from calibrated
 * probabilities (confidence-based performance estimation): right where the same score means the
 * same chance as on validation rows. A change of what leads to the outcome is not seen.
 *
 * @param auc NaN where all rows are of one class
 */
public record ClassifierQuality(double accuracy, double auc, double logLoss) {
    private static final double LEAST = 1e-15;

    /** From outcomes, 1 or 0; a row is positive from a score of {@code threshold}. */
    public static ClassifierQuality known(double[] scores, double[] outcomes, double threshold) {
        return of(scores, outcomes, threshold);
    }

    /** What is to be expected of rows without outcomes. */
    public static ClassifierQuality expected(
            double[] scores, ScoreCalibration calibration, double threshold) {
        double[] chances = Arrays.stream(scores).map(calibration::probability).toArray();
        return of(scores, chances, threshold);
    }

    private static ClassifierQuality of(double[] scores, double[] chances, double threshold) {
        ConfigException.check(
                scores.length > 0 && scores.length == chances.length,
                "%d scores and %d outcomes: give each row both, and at least one row",
                scores.length,
                chances.length);
        double right = 0;
        double loss = 0;
        for (int i = 0; i < scores.length; i++) {
            double score = Math.min(1 - LEAST, Math.max(LEAST, scores[i]));
            right += scores[i] >= threshold ? chances[i] : 1 - chances[i];
            loss -= chances[i] * Math.log(score) + (1 - chances[i]) * Math.log1p(-score);
        }
        return new ClassifierQuality(
                right / scores.length, auc(scores, chances), loss / scores.length);
    }

    /** Over pairs of different rows, of which the first is positive and the second is not. */
    private static double auc(double[] scores, double[] chances) {
        int[] order =
                IntStream.range(0, scores.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> scores[i]))
                        .mapToInt(i -> i)
                        .toArray();
        double won = 0;
        double pairs = 0;
        double negatives = 0;
        for (int begin = 0; begin < order.length; ) {
            int end = begin;
            double positive = 0;
            double negative = 0;
            double self = 0;
            while (end < order.length && scores[order[end]] == scores[order[begin]]) {
                double chance = chances[order[end++]];
                positive += chance;
                negative += 1 - chance;
                self += chance * (1 - chance);
            }
            won += positive * negatives + (positive * negative - self) / 2;
            pairs += self;
            negatives += negative;
            begin = end;
        }
        double positives = scores.length - negatives;
        return won / (positives * negatives - pairs);
    }
}
