package dev.medley.serving.registry;

import static dev.medley.base.ConfigException.check;

/**
 * Says by what a canary is judged beside errors and latency, and what follows if it is good.
 *
 * @param metric that callers report; empty for none
 * @param better which of its values are better
 * @param low the least value that may be reported
 * @param high the largest one
 * @param margin by which a version may be worse and still count as good: a share of answers for
 *     errors, of the range for the metric
 * @param ifGood what follows then
 */
public record CanaryGoals(
        String metric, Better better, double low, double high, double margin, IfGood ifGood) {
    /** Errors and latency alone; a person promotes. */
    public static final CanaryGoals USUAL =
            new CanaryGoals("", Better.HIGHER, 0, 1, 0.01, IfGood.WAIT);

    /** Which values are better. */
    public enum Better {
        HIGHER,
        LOWER
    }

    /** Says what a server does with a version that is good enough. */
    public enum IfGood {
        /** It goes on until a person decides. */
        WAIT,
        /** The version becomes the one that its alias leads to. */
        PROMOTE
    }

    public CanaryGoals {
        check(
                metric.isEmpty() || metric.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"),
                "--metric '%s' is no name: use up to 100 letters, digits, and . _ -",
                metric);
        check(
                Double.isFinite(low) && Double.isFinite(high) && low < high,
                "--range %s..%s: give two numbers, the lesser one first",
                low,
                high);
        check(
                margin > 0 && margin <= 0.5,
                "--margin %s: give a share above 0 and up to 50%%, as 1%%",
                margin);
    }

    /** Whether callers report something. */
    public boolean hasMetric() {
        return !metric.isEmpty();
    }

    /** A reported value as a loss from 0, the best, to 1. */
    public double loss(double value) {
        double part = (value - low) / (high - low);
        return better == Better.HIGHER ? 1 - part : part;
    }
}
