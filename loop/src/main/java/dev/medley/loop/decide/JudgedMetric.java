package dev.medley.loop.decide;

import dev.medley.inference.running.PrequentialRows;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Names what models are compared by, and computes it from labels and answers of rows that count
 * with whole or broken weights. A class is 0 or 1 and its answer the probability of 1; of several
 * classes both are as {@link PrequentialRows} has them. A number's answer is a number.
 */
public enum JudgedMetric {
    /** Area under the ROC curve, ties counting one half (Mann and Whitney 1947). */
    AUC(true),
    /** Share of right classes, decided at one half. */
    ACCURACY(true),
    /** Mean of minus the logarithm of the probability of what is true. */
    LOG_LOSS(false),
    /** Root of the mean squared error. */
    RMSE(false),
    /** Mean absolute error. */
    MAE(false);

    private static final double HALF = 0.5;
    private static final double LEAST = 1e-15;

    private final boolean isMoreBetter;

    JudgedMetric(boolean isMoreBetter) {
        this.isMoreBetter = isMoreBetter;
    }

    /** Whether a larger figure is better. */
    public boolean isMoreBetter() {
        return isMoreBetter;
    }

    /** Whether it is of classes, and not of numbers. */
    public boolean isOfClasses() {
        return this == AUC || this == ACCURACY || this == LOG_LOSS;
    }

    /** As files and records write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The loss of each row, whose mean a better model lowers; of AUC, which has none, log-loss. */
    public double[] losses(double[] labels, double[] answers) {
        JudgedMetric ofRows = this == AUC ? LOG_LOSS : this;
        double[] losses = new double[labels.length];
        Arrays.setAll(losses, row -> ofRows.of(labels[row], answers[row]));
        if (this == ACCURACY) {
            Arrays.setAll(losses, row -> 1 - losses[row]);
        }
        return losses;
    }

    /** Makes ready to compute it for one model's answers under one weighting after another. */
    Judged judged(double[] labels, double[] answers) {
        return this == AUC
                ? new RankedAnswers(labels, answers)
                : new MeanOfRows(this, labels, answers);
    }

    /** Computes the figure for a weighting of the rows. */
    interface Judged {
        double figure(double[] weights);
    }

    /** Whether it can be computed of more than two classes. */
    public boolean isOfSeveral() {
        return this == ACCURACY || this == LOG_LOSS;
    }

    private double of(double label, double answer) {
        if (isOfSeveral() && label >= PrequentialRows.SEVERAL) {
            boolean isRight = answer >= 1;
            double probability = isRight ? answer - 1 : answer;
            return this == ACCURACY ? isRight ? 1 : 0 : -Math.log(Math.max(LEAST, probability));
        }
        return switch (this) {
            case ACCURACY -> (answer >= HALF) == (label >= HALF) ? 1 : 0;
            case LOG_LOSS -> -Math.log(Math.max(LEAST, label >= HALF ? answer : 1 - answer));
            case RMSE -> (answer - label) * (answer - label);
            case MAE -> Math.abs(answer - label);
            case AUC -> throw new IllegalStateException("it is no mean");
        };
    }

    private static final class MeanOfRows implements Judged {
        private final JudgedMetric metric;
        private final double[] ofRows;

        MeanOfRows(JudgedMetric metric, double[] labels, double[] answers) {
            this.metric = metric;
            this.ofRows = new double[labels.length];
            Arrays.setAll(ofRows, row -> metric.of(labels[row], answers[row]));
        }

        @Override
        public double figure(double[] weights) {
            double sum = 0;
            double all = 0;
            for (int row = 0; row < weights.length; row++) {
                sum += weights[row] * ofRows[row];
                all += weights[row];
            }
            return metric == RMSE ? Math.sqrt(sum / all) : sum / all;
        }
    }

    /** Sorts once, however many weightings come. */
    private static final class RankedAnswers implements Judged {
        private final double[] labels;
        private final double[] answers;
        private final int[] order;

        RankedAnswers(double[] labels, double[] answers) {
            this.labels = labels;
            this.answers = answers;
            this.order =
                    IntStream.range(0, labels.length)
                            .boxed()
                            .sorted(Comparator.comparingDouble(row -> answers[row]))
                            .mapToInt(row -> row)
                            .toArray();
        }

        @Override
        public double figure(double[] weights) {
            double inOrder = 0;
            double below = 0;
            double positives = 0;
            for (int from = 0; from < order.length; ) {
                int to = from;
                double positive = 0;
                double negative = 0;
                while (to < order.length
                        && Double.compare(answers[order[to]], answers[order[from]]) == 0) {
                    int row = order[to++];
                    positive += labels[row] >= HALF ? weights[row] : 0;
                    negative += labels[row] >= HALF ? 0 : weights[row];
                }
                inOrder += positive * (below + negative / 2);
                below += negative;
                positives += positive;
                from = to;
            }
            return inOrder / (positives * below);
        }
    }
}
