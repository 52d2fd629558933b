package dev.medley.loop.damage;

import dev.medley.base.ConfigException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Turns a classifier's scores to probabilities that were true on validation rows: the
 * non-decreasing steps that lie nearest to the outcomes (isotonic regression by pooling adjacent
 * violators, Ayer et al. 1955), with straight lines between the middles of steps.
 *
 * @param scores ascending middles of steps
 * @param probabilities beside them
 */
public record ScoreCalibration(List<Double> scores, List<Double> probabilities) {
    /** A step is not nearer to 0 or 1 than one outcome among twice its rows would be. */
    private static final double HALF = 0.5;

    /** As many probabilities as scores. */
    public ScoreCalibration {
        scores = List.copyOf(scores);
        probabilities = List.copyOf(probabilities);
        ConfigException.check(
                !scores.isEmpty() && scores.size() == probabilities.size(),
                "%d scores and %d probabilities of a calibration: give as many, at least one",
                scores.size(),
                probabilities.size());
    }

    /** From scores of validation rows and whether each was of the positive class, 1 or 0. */
    public static ScoreCalibration of(double[] scores, double[] outcomes) {
        ConfigException.check(
                scores.length > 0 && scores.length == outcomes.length,
                "%d scores and %d outcomes: give each validation row both",
                scores.length,
                outcomes.length);
        int[] order =
                IntStream.range(0, scores.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> scores[i]))
                        .mapToInt(i -> i)
                        .toArray();
        double[] score = new double[order.length];
        double[] hits = new double[order.length];
        double[] rows = new double[order.length];
        int steps = 0;
        double last = Double.NaN;
        for (int i : order) {
            score[steps] = scores[i];
            hits[steps] = outcomes[i];
            rows[steps] = 1;
            steps++;
            boolean isTie = steps > 1 && scores[i] == last;
            last = scores[i];
            while (steps > 1
                    && (isTie
                            || hits[steps - 2] * rows[steps - 1]
                                    >= hits[steps - 1] * rows[steps - 2])) {
                isTie = false;
                score[steps - 2] += score[steps - 1];
                hits[steps - 2] += hits[steps - 1];
                rows[steps - 2] += rows[steps - 1];
                steps--;
            }
        }
        Double[] middles = new Double[steps];
        Double[] shares = new Double[steps];
        for (int i = 0; i < steps; i++) {
            middles[i] = score[i] / rows[i];
            double least = HALF / (rows[i] + 1);
            shares[i] = Math.min(1 - least, Math.max(least, hits[i] / rows[i]));
        }
        return new ScoreCalibration(Arrays.asList(middles), Arrays.asList(shares));
    }

    /** The probability of the positive class at a score. */
    public double probability(double score) {
        int low = 0;
        int high = scores.size() - 1;
        if (score <= scores.get(low)) {
            return probabilities.get(low);
        }
        if (score >= scores.get(high)) {
            return probabilities.get(high);
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (scores.get(middle) <= score) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double part = (score - scores.get(low)) / (scores.get(high) - scores.get(low));
        return probabilities.get(low) + part * (probabilities.get(high) - probabilities.get(low));
    }
}
