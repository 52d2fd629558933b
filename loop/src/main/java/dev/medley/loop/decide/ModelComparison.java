package dev.medley.loop.decide;

import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Compares a new model with the one in production on rows that neither has learnt from. Both answer
 * the same rows, so what makes rows hard or easy falls out of the difference: rows are drawn again
 * and again, each time the same for both (the paired bootstrap of Efron and Tibshirani 1993, by
 * percentiles; rows are drawn by exponential weights, Rubin 1981, so that no class is ever
 * missing).
 *
 * @param rows how many were judged on
 * @param champion the metric of the model in production
 * @param challenger that of the new one
 * @param gain how much better the new one is; below 0 if it is worse
 * @param low the lower end of the gain's interval
 * @param high its upper end
 * @param confidence of the interval, two-sided
 */
public record ModelComparison(
        int rows,
        double champion,
        double challenger,
        double gain,
        double low,
        double high,
        double confidence) {
    private static final int DRAWS = 2000;

    /**
     * Compares.
     *
     * @param labels of the rows
     * @param champion answers of the model in production
     * @param challenger answers of the new one
     * @param confidence of the interval
     * @param seed of the draws: the same gives the same interval
     */
    public static ModelComparison of(
            JudgedMetric metric,
            double[] labels,
            double[] champion,
            double[] challenger,
            double confidence,
            long seed) {
        JudgedMetric.Judged ofChampion = metric.judged(labels, champion);
        JudgedMetric.Judged ofChallenger = metric.judged(labels, challenger);
        double sign = metric.isMoreBetter() ? 1 : -1;
        double[] weights = new double[labels.length];
        Arrays.fill(weights, 1);
        double was = ofChampion.figure(weights);
        double is = ofChallenger.figure(weights);
        RandomGenerator random = Seeds.generator(seed);
        double[] gains = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            Arrays.setAll(weights, row -> random.nextExponential());
            gains[draw] = sign * (ofChallenger.figure(weights) - ofChampion.figure(weights));
        }
        Arrays.sort(gains);
        double outside = (1 - confidence) / 2;
        return new ModelComparison(
                labels.length,
                was,
                is,
                sign * (is - was),
                gains[(int) Math.floor(outside * (DRAWS - 1))],
                gains[(int) Math.ceil((1 - outside) * (DRAWS - 1))],
                confidence);
    }

    /** The figure of one model's answers. */
    public static double figure(JudgedMetric metric, double[] labels, double[] answers) {
        double[] weights = new double[labels.length];
        Arrays.fill(weights, 1);
        return metric.judged(labels, answers).figure(weights);
    }
}
