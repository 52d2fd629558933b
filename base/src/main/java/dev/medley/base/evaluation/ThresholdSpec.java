package dev.medley.base.evaluation;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * The choice of a threshold between two classes: what it is to maximise over the validation
 * samples. The second class is the positive one.
 *
 * @param maximise what counts
 * @param truePositive what a positive sample brings that is taken for one; below 0 what it costs
 * @param falsePositive what a negative sample brings that is taken for positive
 * @param trueNegative what a negative sample brings that is taken for one
 * @param falseNegative what a positive sample brings that is taken for negative
 */
public record ThresholdSpec(
        Maximise maximise,
        double truePositive,
        double falsePositive,
        double trueNegative,
        double falseNegative) {
    /** What a threshold may maximise. */
    public enum Maximise {
        /** Twice the true positives over all that are positive or taken for it. */
        F1,
        /** The part that is right. */
        ACCURACY,
        /** Youden's J: the part of positives found, less the part of negatives taken for them. */
        YOUDEN,
        /** The sum of what all samples bring. */
        PROFIT
    }

    public ThresholdSpec {
        boolean isNamed =
                truePositive != 0 || falsePositive != 0 || trueNegative != 0 || falseNegative != 0;
        check(
                isNamed == (maximise == Maximise.PROFIT),
                isNamed
                        ? "train.threshold: gains and costs go with maximise: profit, and only"
                                + " there"
                        : "train.threshold: profit needs what samples bring: at least one of"
                                + " true_positive, false_positive, true_negative, false_negative"
                                + " other than 0");
        check(
                Double.isFinite(truePositive + falsePositive + trueNegative + falseNegative),
                "train.threshold: gains and costs are finite numbers");
    }

    /** A choice that needs no gains. */
    public static ThresholdSpec of(Maximise maximise) {
        return new ThresholdSpec(maximise, 0, 0, 0, 0);
    }

    /** Whether gains and costs are given. */
    @JsonIgnore
    public boolean isOfProfit() {
        return maximise == Maximise.PROFIT;
    }

    /** What all samples bring. */
    double profit(double truePositives, double falsePositives, double positives, double negatives) {
        return truePositive * truePositives
                + falsePositive * falsePositives
                + trueNegative * (negatives - falsePositives)
                + falseNegative * (positives - truePositives);
    }
}
